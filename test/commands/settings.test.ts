import { describe, expect, test } from 'vitest';
import { ConfigError, describeConfig, loadConfig, misspeltSettings } from '../../src/config.js';
import { resolvePlans } from '../../src/access/plans.js';
import { runMoraine as moraine } from '../harness/moraine.js';

/** Words of the validation library. */
const zodWords = /invalid|expected|received|NaN|too (small|big)|unrecognized/i;

const wrong = {
  PORT: 'abc',
  METRICS_PORT: '70000',
  SAMPLE: 'false',
  DATABASE_URL: 'mysql://me:hunter2@db/moraine',
  DATABASE_POOL: '0',
  LOG_LEVEL: 'loud',
  PUBLIC_URL: 'ftp://me:hunter3@files.example',
  CORS_ORIGIN: 'wallet.example',
  RPC_URLS: '{"C-Chain":"https://rpc.example/hunter4"}',
  PLANS: '{"free":{"requests":"many"},"pro":{"seconds":0,"reqests":1}}',
  TRUSTED_PROXIES: 'everyone',
};

test('a gateway names every wrong setting at once, with its value and what is allowed, and opens nothing', async () => {
  const { code, out, err } = await moraine(['serve'], wrong);
  expect([code, out]).toEqual([1, '']);
  for (const line of [
    'PORT: "abc" is not a whole number from 0 to 65535.',
    'METRICS_PORT: "70000" is not a whole number from 0 to 65535.',
    'SAMPLE: "false" is not one of on, off.',
    'DATABASE_URL: its value is not an address such as postgresql://',
    'DATABASE_POOL: "0" is not a whole number from 1 to 2147483647.',
    'LOG_LEVEL: "loud" is not one of fatal, error, warn, info, debug, silent.',
    'PUBLIC_URL: its value is not an address that begins with http:// or https://.',
    'CORS_ORIGIN: "wallet.example" is not * or origins such as https://wallet.example, separated by commas.',
    'RPC_URLS: its value is not a JSON object of addresses by EVM chain id',
    'PLANS: free: requests: must be a number',
    'PLANS: pro: seconds: must be 1 or more; "reqests" is unknown',
    'TRUSTED_PROXIES: "everyone" is neither an IP address nor a CIDR range',
  ])
    expect(err).toContain(line);
  expect(err).not.toMatch(zodWords);
  expect(err).not.toMatch(/hunter\d/);
});

test('moraine config prints the settings, what looks like one and is none, and what is wrong', async () => {
  const { code, out, err } = await moraine(['config'], {
    PROT: '1',
    DATABSE_URL: 'postgresql://me:hunter2@db/moraine',
    RATE_LIMT: 'off',
    PORT: '80 80',
  });
  expect(code).toBe(1);
  expect(out).toContain('DATABASE_POOL=16');
  expect(err).toContain('PROT is not a setting and does nothing; did you mean PORT?');
  expect(err).toContain('DATABSE_URL is not a setting and does nothing; did you mean DATABASE_URL?');
  expect(err).toContain('RATE_LIMT is not a setting and does nothing; did you mean RATE_LIMITS?');
  expect(err).toContain('PORT: "80 80" is not a whole number');
  expect(err).not.toContain('hunter2');
});

describe('each setting', () => {
  const unusable = ['abc abc', '-1', '1.5', '{', 'https://', ' , ,x:/y'];
  test.each(describeConfig({}).map(({ name }) => [name]))(
    '%s says in words what is allowed, if it does not take everything',
    (name) => {
      for (const value of unusable) {
        try {
          loadConfig({ [name]: value });
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          const { message } = error as Error;
          expect(message).toContain(`\n  ${name}: `);
          expect(message).toMatch(/ is not (a|an|one of|addresses|\*|JSON|the)[ .]/);
          expect(message).not.toMatch(zodWords);
        }
      }
    },
  );

  test('a number that no timer takes is refused, and blanks are no value', () => {
    expect(() => loadConfig({ REQUEST_TIMEOUT_MS: '3000000000' })).toThrow('from 1 to 2147483647');
    expect(loadConfig({ PORT: '  ' }).PORT).toBe(4000);
  });
});

test('a plan says in words what is wrong with it', () => {
  const plans = { free: { perDay: 1.5 }, base: { rights: ['fly'] }, mine: { seconds: 60 } };
  expect(() => resolvePlans(plans)).toThrow(/free: perDay: must be a whole number/);
  expect(() => resolvePlans(plans)).toThrow(/base: rights\.0: must be "reindex"/);
  expect(() => resolvePlans(plans)).toThrow(/mine: requests: is missing; it must be a number/);
});

describe('a variable that looks like a setting', () => {
  test.each([
    ['PROT', 'PORT'],
    ['PORTS', 'PORT'],
    ['HOTS', 'HOST'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['RATE_LIMT', 'RATE_LIMITS'],
    ['RATE_LIMIT', 'RATE_LIMITS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['log_level', 'LOG_LEVEL'],
    ['MORAINE_PORT', 'PORT'],
    ['MAX_DEPHT', 'MAX_DEPTH'],
    ['RPC_URL', 'RPC_URLS'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['PROMETEUS_PORT', 'PROMETHEUS_PORT'],
    ['REQUEST_TIMEOUT', 'REQUEST_TIMEOUT_MS'],
  ])('%s is reported as misspelt for %s', (name, meant) => {
    expect(misspeltSettings({ [name]: 'x' })).toEqual([{ name, meant }]);
  });

  test('those of shells, services, containers, Kubernetes, CI and other programs are left alone', () => {
    const ordinary = [
      ...'PATH HOME PWD OLDPWD SHELL SHLVL USER LOGNAME LANG LANGUAGE LC_ALL TERM COLORTERM EDITOR PAGER MAIL _ TZ TMPDIR TEMP'.split(
        ' ',
      ),
      ...'HOSTNAME HOSTTYPE OSTYPE MACHTYPE DISPLAY WAYLAND_DISPLAY SSH_CLIENT SSH_CONNECTION SSH_TTY SSH_AUTH_SOCK'.split(
        ' ',
      ),
      ...'XDG_RUNTIME_DIR XDG_DATA_DIRS XDG_CONFIG_DIRS XDG_DATA_HOME XDG_SESSION_ID DBUS_SESSION_BUS_ADDRESS'.split(
        ' ',
      ),
      ...'PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGDATA PGSSLMODE PGSSLCERT PGAPPNAME POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB'.split(
        ' ',
      ),
      ...'REDIS_HOST REDIS_PORT REDIS_PASSWORD DB_HOST DB_PORT DB_NAME DB_URL MYSQL_HOST'.split(' '),
      ...'NODE_ENV NODE_OPTIONS NODE_VERSION NODE_PATH YARN_VERSION UV_THREADPOOL_SIZE NO_COLOR FORCE_COLOR DEBUG INIT_CWD COLOR'.split(
        ' ',
      ),
      ...'npm_config_cache npm_lifecycle_event npm_package_name npm_execpath npm_node_execpath npm_command'.split(
        ' ',
      ),
      ...'INVOCATION_ID JOURNAL_STREAM MAINPID MANAGERPID NOTIFY_SOCKET LISTEN_FDS STATE_DIRECTORY SYSTEMD_EXEC_PID'.split(
        ' ',
      ),
      ...'CI GITHUB_ACTIONS GITHUB_TOKEN GITHUB_REF RUNNER_OS RUNNER_TEMP container WORKDIR'.split(' '),
      ...'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR'.split(
        ' ',
      ),
      ...'KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT POD_NAME POD_IP HOST_IP NODE_NAME'.split(
        ' ',
      ),
      ...'OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL OTEL_TRACES_SAMPLER OTEL_RESOURCE_ATTRIBUTES'.split(
        ' ',
      ),
      ...'AWS_REGION AWS_PROFILE GOPATH JAVA_HOME PYTHONPATH CARGO_HOME VIRTUAL_ENV TEST_POOLER VITEST CHROMIUM_PATH'.split(
        ' ',
      ),
    ];
    expect(misspeltSettings(Object.fromEntries(ordinary.map((name) => [name, 'x'])))).toEqual([]);
    // A service that Kubernetes runs next to it.
    expect(
      misspeltSettings({ DATABASE_PORT: 'tcp://10.0.0.7:5432', MORAINE_PORT: 'tcp://10.0.0.8:4000' }),
    ).toEqual([]);
    expect(misspeltSettings({ PORT: '1', DATABASE_URL: 'x', PROT: '' })).toEqual([]);
  });
});

test('the help of every command says what has to be given, and its errors name all of it', async () => {
  const help = await moraine(['keys', 'create', '--help']);
  expect(help.out).toMatch(/Usage: moraine keys create --plan <plan> --name <name> \[options\]/);
  expect(help.out).toMatch(/--plan <plan> +required: /);
  expect(help.out).toMatch(/--name <name> +required: /);
  expect(help.out).not.toMatch(/--(rights|expires) <\w+> +required/);
  const none = await moraine(['keys', 'create']);
  expect(none.code).toBe(1);
  expect(none.err).toContain('--plan <plan> and --name <name> are required');
  const one = await moraine(['keys', 'create', '--plan', 'pro']);
  expect(one.err).toContain('--name <name> is required');
});
