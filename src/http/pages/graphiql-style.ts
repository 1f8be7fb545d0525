/** The styles of the list of examples, and what of GraphiQL's own has to differ. */
export const graphiqlStyle = `
:root { color-scheme: light dark; }
body { --ink: #1d2429; --soft: #56616a; --line: #d8dde1; --paper: #fff; --mark: #e7eef3; --link: #0b5c8a; }
body.graphiql-dark { color-scheme: dark; --ink: #e5eaee; --soft: #9aa7b1; --line: #333d45; --paper: #212a3b; --mark: #303b50; --link: #77c1ec; }
@media (prefers-color-scheme: dark) {
  body:not(.graphiql-light) { --ink: #e5eaee; --soft: #9aa7b1; --line: #333d45; --paper: #212a3b; --mark: #303b50; --link: #77c1ec; }
}
#body { display: flex; height: 100vh; height: 100dvh; margin: 0; background: var(--paper); }
#root { flex: 1; min-width: 0; min-height: 0; }
#root .graphiql-container { width: 100%; height: 100%; }
#examples { flex: none; width: 15.5rem; padding: .9rem 0; overflow-y: auto; border-right: 1px solid var(--line); color: var(--ink); font: 14px/1.35 system-ui, sans-serif; }
#examples .ways { display: flex; gap: 1rem; margin: 0; padding: 0 .9rem .6rem; }
#examples a { color: var(--link); }
#examples summary { display: none; padding: .3rem .9rem; color: var(--soft); cursor: pointer; }
#examples h2 { margin: .9rem 0 .2rem; padding: 0 .9rem; color: var(--soft); font-size: .8rem; font-weight: 600; }
#examples ul { margin: 0; padding: 0; list-style: none; }
#examples li a { display: block; padding: .35rem .9rem; color: var(--ink); text-decoration: none; }
#examples li a:hover { background: var(--mark); }
#examples li a[aria-current] { background: var(--mark); box-shadow: inset 3px 0 var(--link); }
#examples :focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
/* Tabs are drawn where they are. GraphiQL moves them by their remembered positions, so that a pressed tab leaves the
   pointer before it is let go, and no click comes of it. */
.graphiql-container .graphiql-tab { transform: none !important; }
@media (max-width: 60rem) {
  #body { flex-direction: column; }
  #examples { position: relative; display: flex; align-items: center; width: auto; padding: 0; overflow: visible; border-right: 0; border-bottom: 1px solid var(--line); }
  #examples .ways { order: 1; margin-left: auto; padding: 0 .9rem; }
  #examples summary { display: list-item; }
  #examples .ways a, #examples summary { padding-block: .8rem; }
  #examples details > div { position: absolute; z-index: 20; inset: 100% 0 auto; max-height: 70vh; max-height: 70dvh; overflow-y: auto; padding-bottom: .9rem; border-bottom: 1px solid var(--line); background: var(--paper); box-shadow: 0 1rem 1.5rem #0003; }
  #examples li a { padding-block: .6rem; }
}
@media (max-width: 48rem) {
  /* One below the other, each as wide as the page. */
  #root .graphiql-container, #root .graphiql-main, #root #graphiql-session { flex-direction: column; }
  #root .graphiql-sidebar { order: 1; flex-direction: row; width: auto; padding: 0 .5rem; border-top: 1px solid var(--line); }
  #root .graphiql-sidebar > button { margin: 0 !important; }
  #root .graphiql-main, #root #graphiql-session > * { min-height: 0; }
  #root .graphiql-plugin { min-width: 0 !important; }
  #root .graphiql-sessions { margin: 0; border-radius: 0; min-height: 0; }
  #root .graphiql-editors { flex: 3 1 0 !important; }
  #root .graphiql-response { flex: 2 1 0 !important; }
  #root .graphiql-horizontal-drag-bar, #root .graphiql-logo { display: none; }
}
`;
