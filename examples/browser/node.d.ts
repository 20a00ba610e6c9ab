export * from './baton.js';
