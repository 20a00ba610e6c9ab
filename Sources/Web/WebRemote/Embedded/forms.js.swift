// Written by deploy/embed from Sources/Web/WebRemote/page/forms.js; edit that file.
extension WebRemote {
    static let formsJS: StaticString = ##"""
        // What settings are made of: lines with a field in them, and buttons that ask once more.

        import { buzz, make, put } from './parts.js';

        /** A button that asks once more before it does what cannot be taken back. */
        export function twice(text, sure, act) {
          let timer = 0;
          const calm = () => { clearTimeout(timer); timer = 0; put(button, text); button.classList.remove('sure') };
          const button = make('button', {
            class: 'small', onblur: calm, onclick: () => {
              buzz();
              if (timer) { calm(); return act() }
              put(button, sure);
              button.classList.add('sure');
              timer = setTimeout(calm, 4000);
            },
          }, text);
          return button;
        }

        export function field(text, input) { return make('label', { class: 'line' }, text, input) }

        """##
}
