// Icons that are not seen at first. What uses one imports this file.

import { $ } from '../parts/parts.js';

const drawings = {
  star: 'M12 2l2.900 6.700 7.100.8-5.300 4.800L18.200 22 12 18.200 5.800 22l1.500-7.700L2 9.500l7.100-.8z',
  radio: 'M10.700 10.500a2 2 0 1 1 2.600 0L15 22h-2.500l-.5-4-.5 4H9z'
    + 'M6.200 3.200L8 5a5 5 0 0 0 0 8l-1.800 1.800a7.500 7.500 0 0 1 0-11.600z'
    + 'M17.800 3.200L16 5a5 5 0 0 1 0 8l1.800 1.800a7.500 7.500 0 0 0 0-11.600z',
  search: 'M10 2.500a7.500 7.500 0 1 1 0 15 7.500 7.500 0 0 1 0-15zM10 5a5 5 0 1 0 .01 0z'
    + 'M14.200 15.900l1.700-1.700 6.300 6.300-1.700 1.700z',
  save: 'M10.700 2h2.600v9.500l3.700-3.700 1.800 1.800-6.800 6.800-6.800-6.800L7 7.800l3.700 3.700zM3 18.500h18V21H3z',
  record: 'M12 5a7 7 0 1 1-.01 0z',
  clock: 'M12 2a10 10 0 1 1-.01 0zM12 4.500a7.500 7.500 0 1 0 .01 0zM11 7h2.200v4.800l3.300 2.900-1.500 1.700-4-3.600z',
  filter: 'M3 4h18v2.500L14.500 13v8l-5-3v-5L3 6.500z',
  album: 'M3 3h18v18H3zM5.500 5.500v13h13v-13zM12 8l4 4-4 4-4-4z',
  folder: 'M2 5h7.500l2.500 3h10v11.500H2z',
  into: 'M14.500 4L6.500 12l8 8 2-2-6-6 6-6z',
  link: 'M3 8h8v2.500H5.500v3H11V16H3zM13 8h8v8h-8v-2.500h5.500v-3H13zM8 10.700h8v2.600H8z',
  pen: 'M17.200 2.500l4.300 4.300L9 19.300 4.700 15zM3.500 16.700l3.800 3.800L2.500 21.500z',
  calendar: 'M7 2h2.500v3h5V2H17v3h4v16H3V5h4zM5.500 10v8.500h13V10z',
  label: 'M12 2a10 10 0 1 1-.01 0zM12 8a4 4 0 1 0 .01 0zM12 10.700a1.300 1.300 0 1 1-.01 0z',
  genre: 'M12 2l4 7h-8zM4 13h7v8H4zM17 12.500l4.300 4.300-4.300 4.300-4.300-4.300z',
  shelf: 'M3 3h4v18H3zM9 3h4v18H9zM15.300 4.300l3.800-1L23 19.800l-3.800 1z',
  enqueue: 'M3 4h14v2.500H3zM3 9.500h14V12H3zM3 15h8v2.500H3z'
    + 'M16.500 13.500H19v3.300h3.300v2.400H19v3.300h-2.500v-3.300h-3.300v-2.400h3.300z',
  playnext: 'M3 4h18v2.500H3zM11 10.500h10V13H11zM11 17.500h10V20H11zM2.500 9.500v9l6.500-4.500z',
  stop: 'M5 5h14v14H5z',
  power: 'M10.700 2h2.600v10h-2.600zM7.500 4.600v3A6.800 6.800 0 1 0 16.500 7.600v-3A9.400 9.400 0 1 1 7.500 4.600z',
  lists: 'M8 4.500h13V7H8zM8 10.700h13v2.500H8zM8 17h13v2.500H8zM2.500 4l3.500 1.800-3.500 1.700z'
    + 'M2.500 10.200L6 12l-3.500 1.700zM2.500 16.500L6 18.200 2.500 20z',
  x: 'M5.800 4L12 10.200 18.200 4 20 5.800 13.800 12l6.200 6.200-1.800 1.800L12 13.800 5.800 20 4 18.200 '
    + '10.200 12 4 5.800z',
  wall: 'M2 4h20v13H2zM4.500 6.500v8h15v-8zM7 19h10v2.500H7z',
  copy: 'M8 2h13v15H8zM10.500 4.500v10h8v-10zM3 7h3v12.500h10.500V22H3z',
  keep: 'M3 3h14.500L21 6.500V21H3zM5.500 5.500v13h13v-11l-2-2H15v4H7.500v-4zM8 12.500h8v4H8z',
  check: 'M3.500 12.500l2-2 4.300 4.300L18.700 6l2 2L9.800 18.800z',
  mark: 'M5.500 2h13v20L12 17l-6.500 5z',
  device: 'M6 1.500h12v21H6zM8.500 4.500v12.500h7V4.500zM10.500 18.700h3v1.500h-3z',
  look: 'M12 2a10 10 0 1 1-.01 0zM12 4.500v15a7.500 7.500 0 0 0 0-15z',
  about: 'M12 2a10 10 0 1 1-.01 0zM12 4.500a7.500 7.500 0 1 0 .01 0zM10.700 10.500h2.600V17h-2.600z'
    + 'M10.700 6.700h2.600v2.400h-2.600z',
  grip: 'M7 5h4v3H7zM13 5h4v3h-4zM7 10.500h4v3H7zM13 10.500h4v3h-4zM7 16h4v3H7zM13 16h4v3h-4z',
};
const space = 'http://www.w3.org/2000/svg';
for (const [name, d] of Object.entries(drawings)) {
  const symbol = document.createElementNS(space, 'symbol'), path = document.createElementNS(space, 'path');
  for (const [key, value] of [['id', `i-${name}`], ['viewBox', '0 0 24 24']]) symbol.setAttribute(key, value);
  for (const [key, value] of [['d', d], ['fill-rule', 'evenodd']]) path.setAttribute(key, value);
  symbol.append(path);
  $('icons').append(symbol);
}
