/** The styles of the first screen. */
export const homeStyle = `
:root { color-scheme: light dark; --ink: #1d2429; --soft: #56616a; --line: #d8dde1; --paper: #fff; --card: #f5f7f8; --link: #0b5c8a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5eaee; --soft: #9aa7b1; --line: #333d45; --paper: #14191d; --card: #1c2328; --link: #77c1ec; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 2rem 1rem 3rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .7rem; }
p { margin: 0 0 .6rem; }
.lead { color: var(--soft); max-width: 42rem; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, button:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.links { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .6rem; padding: 0; margin: 0; list-style: none; }
.links a { display: block; height: 100%; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); text-decoration: none; }
.links a:hover { border-color: var(--link); }
.links b { display: block; }
.links span { color: var(--soft); font-size: .9rem; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child { text-align: left; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-weight: 500; font-size: .9rem; }
tbody th { font-weight: 600; }
.others { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; padding: 0; margin: .9rem 0 0; list-style: none; }
.command { position: relative; margin: 0 0 1rem; }
.command p { color: var(--soft); font-size: .95rem; margin: 0 5rem .35rem 0; }
pre { margin: 0; padding: .8rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); white-space: pre-wrap; overflow-wrap: anywhere; font: .85rem/1.5 ui-monospace, monospace; }
button { position: absolute; top: -.15rem; right: 0; padding: .15rem .7rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--paper); color: var(--ink); font: inherit; font-size: .85rem; cursor: pointer; }
button:hover { border-color: var(--link); }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .9rem; }
@media (max-width: 40rem) {
  main { padding-top: 1.3rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .1rem 0; text-align: right; white-space: normal; }
  tbody td::before { content: attr(data-label); color: var(--soft); }
}
`;
