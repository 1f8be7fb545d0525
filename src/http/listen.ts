import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ConfigError, type Config } from '../config.js';

type PortSetting = 'PORT' | 'METRICS_PORT' | 'PROMETHEUS_PORT';

/**
 * Listens on HOST and a port.
 *
 * @returns the address, as http://host:port
 * @throws ConfigError when that cannot be listened on
 */
export async function listen(app: FastifyInstance, config: Config, setting: PortSetting): Promise<string> {
  const { HOST, [setting]: wanted = 0, MAX_CONNECTIONS: backlog } = config;
  // Node's 511 overflow when several hundred clients connect while the event loop is busy: these, and all
  // after them, then try again after 1, 3 and 7 seconds.
  await app.listen({ host: HOST, port: wanted, backlog }).catch((error: unknown) => {
    throw listenError(error as NodeJS.ErrnoException, HOST, setting, wanted);
  });
  const { port } = app.server.address() as AddressInfo;
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;
}

function listenError(
  cause: NodeJS.ErrnoException,
  host: string,
  setting: PortSetting,
  port: number,
): ConfigError {
  return new ConfigError(
    `Moraine cannot listen on HOST=${host}, ${setting}=${port}: ${explain(cause, setting)}`,
    { cause },
  );
}

function explain({ code, message }: NodeJS.ErrnoException, setting: PortSetting): string {
  switch (code) {
    case 'EADDRINUSE':
      return `another process uses this port. Stop it, or set ${setting} to a free port (0 takes any).`;
    case 'EACCES':
      return `this user may not use this port. Set ${setting} to a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'this machine has no such address. Set HOST to an address of this machine; 127.0.0.1 serves only this machine, 0.0.0.0 every interface.';
    case undefined:
    default:
      return `${message}. Set HOST and ${setting} to other values.`;
  }
}
