/** The pages that most visits begin with. */
export { Home, NetworkPage } from './home.js';
