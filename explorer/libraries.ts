/**
 * What pages have of libraries, for the build alone: it makes them a file of their own. A new connection
 * gives 14 kB in its first round trip: several small files at a time come sooner than a large one.
 */
export { hashKey, QueryClient, QueryObserver } from '@tanstack/query-core';
export { createContext, Fragment, h, options, render } from 'preact';
export { jsx, jsxs } from 'preact/jsx-runtime';
