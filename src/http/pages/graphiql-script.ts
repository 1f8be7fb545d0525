import type { Example } from '../../recipes.js';

/** Below this width, pixels, the documentation would leave the editor too little room. */
const ROOM_FOR_DOCUMENTATION = 1440;
/** How long GraphiQL still takes the operation of the former document for the current one, milliseconds. */
const SETTLES_MS = 200;

/** A value as text of an inline script. */
export const asScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Runs before GraphiQL. It makes a link to an example a link to its query. GraphiQL itself reads the query of
 * an address and of its first tab, but their variables only from its storage. The documentation is open on
 * the first visit in a wide window, until the visitor closes it, and in a narrow one only when the visitor
 * opens it.
 */
export const scriptBefore = (examples: readonly Example[]) => `
const examples = ${asScript(Object.fromEntries(examples.map((each) => [each.name, each])))};
const address = new URL(location.href);
const linked = Object.hasOwn(examples, address.searchParams.get('example')) && examples[address.searchParams.get('example')];
address.searchParams.delete('example');
if (linked) {
  address.searchParams.set('query', linked.query);
  localStorage.setItem('graphiql:variables', linked.variables);
}
history.replaceState(null, '', address);
const isNarrow = innerWidth < ${ROOM_FOR_DOCUMENTATION};
if (!localStorage.getItem('moraine:visited')) {
  localStorage.setItem('moraine:visited', 'yes');
  localStorage.setItem('graphiql:visiblePlugin', isNarrow ? '' : 'Documentation Explorer');
  if (!address.searchParams.has('query'))
    localStorage.setItem('graphiql:variables', ${asScript(examples[0]?.variables ?? '')});
} else if (isNarrow) localStorage.setItem('graphiql:visiblePlugin', '');
`;

/**
 * Runs after GraphiQL. An example opens in the current tab if that is empty or has an unchanged example, else
 * in a new one. If GraphiQL has no editors yet, the link is followed.
 */
export const scriptAfter = `
monaco.editor.onDidCreateEditor((editor) => editor.updateOptions({ wordWrap: 'on', wrappingIndent: 'indent' }));
const list = document.querySelector('#examples details');
const narrow = matchMedia('(max-width: 60rem)');
const fit = () => { list.open = !narrow.matches; };
narrow.addEventListener('change', fit);
fit();
const modelOf = (file) => monaco.editor.getModels().find(({ uri }) => uri.path.endsWith(file));
const isAsItCame = (text) => text.trim() === '' || Object.values(examples).some(({ query }) => query === text);
function open({ query, variables }) {
  const root = document.querySelector('#root');
  if (!isAsItCame(modelOf('operation.graphql').getValue())) document.querySelector('.graphiql-tab-add').click();
  modelOf('operation.graphql').setValue(query);
  modelOf('variables.json').setValue(variables);
  modelOf('response.json').setValue('');
  root.inert = true;
  setTimeout(() => { root.inert = false; }, ${SETTLES_MS});
}
function mark() {
  const shown = modelOf('operation.graphql')?.getValue();
  for (const link of document.querySelectorAll('[data-example]'))
    if (examples[link.dataset.example].query === shown) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
}
list.addEventListener('click', (event) => {
  const link = event.target.closest('[data-example]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !modelOf('operation.graphql')) return;
  event.preventDefault();
  open(examples[link.dataset.example]);
  if (narrow.matches) list.open = false;
});
monaco.editor.onDidCreateModel((model) => {
  if (!model.uri.path.endsWith('operation.graphql')) return;
  model.onDidChangeContent(mark);
  mark();
});
`;
