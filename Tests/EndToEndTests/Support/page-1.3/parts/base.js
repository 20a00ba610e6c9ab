// The one line of the page's parts that renewal.js needs.

export const $ = id => document.getElementById(id);
