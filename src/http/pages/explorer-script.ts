/**
 * Starts the explorer of the REST API. Replies that the document names once for all paths are shown once,
 * above the paths; a path lists their statuses. The page is dark if the visitor's system is.
 */
export const explorerScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

const SHARED = '#/components/responses/';
const isShared = (response) => String(response.get('$$ref') ?? response.get('$ref') ?? '').includes(SHARED);

function sharedReplies({ React, specSelectors }) {
  const make = React.createElement;
  const statusOf = (response) => response.getIn(['content', 'application/json', 'example', 'statusCode']);
  const row = (response) => make('tr', { key: statusOf(response) },
    make('td', null, make('b', null, statusOf(response))), make('td', null, response.get('description')));
  const table = () => {
    const responses = specSelectors.specJson().getIn(['components', 'responses']);
    return responses && make('details', { className: 'wrapper shared-replies' },
      make('summary', null, 'Errors, the same on every path'),
      make('p', null, 'The body is a JSON object with message, error and statusCode.'),
      make('table', null, make('tbody', null, responses.toList().sortBy(statusOf).map(row).toArray())));
  };
  const brief = (codes) => make('p', { className: 'shared-replies' },
    'Errors as above: ' + codes.join(', '));
  return {
    wrapComponents: {
      InfoContainer: (Original) => (props) => make('div', null, make(Original, props), table()),
      responses: (Original) => (props) => {
        const shared = props.responses.filter(isShared);
        const own = make(Original, { ...props, responses: props.responses.filterNot(isShared) });
        return shared.isEmpty() ? own : make('div', null, own, brief(shared.keySeq().toArray()));
      },
    },
  };
}

SwaggerUIBundle({
  dom_id: '#explorer',
  url: '/openapi.json',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  plugins: [sharedReplies],
});
`;

export const explorerStyle = `.swagger-ui .shared-replies { padding: 8px 20px; }
.swagger-ui .shared-replies table { width: auto; }
.swagger-ui .shared-replies table tbody tr td { padding: 4px 16px 4px 0; vertical-align: baseline; min-width: 0; }
.swagger-ui .shared-replies summary { cursor: pointer; }
html.dark-mode .swagger-ui .shared-replies, html.dark-mode .swagger-ui .shared-replies td, html.dark-mode .swagger-ui .headers td { color: #e4e6e6; }
`;
