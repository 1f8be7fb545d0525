import { shown } from '../../../outbound/target.js';
import { MetadataError, type MetadataReason } from './error.js';

/** Gateways that the operator set, by what they serve; undefined if there is none. */
export interface Gateways {
  ipfs: string | undefined;
  arweave: string | undefined;
}

/** Content that a gateway finds by its hash, not by its address. */
interface Content {
  network: keyof Gateways;
  /** On the gateway, without a leading slash: `ipfs`, `ipns`, or nothing on Arweave's. */
  namespace: string;
  root: string;
  /** Empty, or from its first slash on. */
  path: string;
  /** Whether the address is also a web address: without a gateway it is fetched directly. */
  onWeb: boolean;
}

// CIDv0, CIDv1 in base32, and the keys of IPNS in base36, which no path of an ordinary site begins with.
const cid = '(?:Qm[1-9A-HJ-NP-Za-km-z]{4,}|baf[a-z2-7]{4,}|k51[a-z0-9]{4,})';
const arweaveId = '[a-zA-Z0-9_-]{43}';

// In addresses of IPFS and Arweave `#` and `?` are part of file names, as collections use them.
const ownSchemes: [RegExp, keyof Gateways][] = [
  [
    /^(?<scheme>ip[fn]s|dweb):\/{0,2}(?:(?<namespace>ip[fn]s)\/)?(?<root>[a-z0-9._-]+)(?<path>\/.*)?$/is,
    'ipfs',
  ],
  [/^(?:ar|arweave):\/{0,2}(?<root>[a-z0-9_-]+)(?<path>\/.*)?$/is, 'arweave'],
  [/^\/?(?<namespace>ip[fn]s)\/(?<root>[a-z0-9._-]+)(?<path>\/.*)?$/is, 'ipfs'],
  [new RegExp(`^(?<root>${cid})(?<path>/.*)?$`, 's'), 'ipfs'],
];

// In the address of a gateway the query is for that gateway.
const webAddresses: [RegExp, keyof Gateways][] = [
  [new RegExp(`^https?://[^/?#]+/(?<namespace>ip[fn]s)/(?<root>${cid})(?<path>/[^?#]*)?(?:[?#]|$)`), 'ipfs'],
  [
    new RegExp(`^https?://(?<root>${cid})\\.(?<namespace>ip[fn]s)\\.[^/?#]+(?<path>/[^?#]*)?(?:[?#]|$)`),
    'ipfs',
  ],
  [
    new RegExp(`^https?://(?:www\\.)?arweave\\.net/(?<root>${arweaveId})(?<path>/[^?#]*)?(?:[?#]|$)`),
    'arweave',
  ],
];

const missingGateway: Record<keyof Gateways, [MetadataReason, string]> = {
  ipfs: ['no-ipfs-gateway', 'the metadata is on IPFS, and no IPFS gateway is configured (IPFS_GATEWAY)'],
  arweave: [
    'no-arweave-gateway',
    'the metadata is on Arweave, and no Arweave gateway is configured (ARWEAVE_GATEWAY)',
  ],
};

/**
 * The address on a gateway for an address of IPFS (`<gateway>/ipfs/<cid>/<path>`) or Arweave
 * (`<gateway>/<id>/<path>`).
 */
export interface GatewayAddress {
  url: string;
  network: keyof Gateways;
}

/**
 * The address under which the operator's gateway serves a document that is found by its content: `ipfs://`,
 * `ipns://`, `dweb:/ipfs/`, `/ipfs/…`, a bare CID, `ar://`, and web addresses of public gateways to either.
 *
 * @returns null for every other address, and for a public gateway's if the operator has none
 * @throws MetadataError for a path that would leave its content on the gateway, and if no gateway is
 *   configured
 */
export function onGateway(address: string, gateways: Gateways): GatewayAddress | null {
  const content = contentOf(address);
  if (!content) {
    if (/^(ip[fn]s|dweb|ar|arweave):/i.test(address)) throw malformed(address);
    return null;
  }
  const { network, namespace, root, path, onWeb } = content;
  const gateway = gateways[network];
  if (gateway === undefined) {
    if (onWeb) return null;
    throw new MetadataError(...missingGateway[network], false);
  }
  const segments = path.split('/').map(encodeSegment);
  if (/^\.+$/.test(root) || segments.includes(null)) throw malformed(address);
  const parts = [gateway.replace(/\/+$/, ''), namespace, root].filter((part) => part !== '');
  return { url: parts.join('/') + segments.join('/'), network };
}

function contentOf(address: string): Content | null {
  for (const [forms, onWeb] of [
    [ownSchemes, false],
    [webAddresses, true],
  ] as const) {
    for (const [form, network] of forms) {
      const groups = form.exec(address)?.groups;
      if (!groups) continue;
      const { scheme = 'ipfs', namespace = scheme, root = '', path = '' } = groups;
      return { network, namespace: namespaceOf(network, namespace), root, path, onWeb };
    }
  }
  return null;
}

function namespaceOf(network: keyof Gateways, name: string): string {
  if (network === 'arweave') return '';
  return name.toLowerCase() === 'ipns' ? 'ipns' : 'ipfs';
}

// The gateway is trusted and may serve more than this, so that no path may climb out, however it is written:
// null. File names contain single percent signs too ("100%.json"); those are literal.
function encodeSegment(segment: string): string | null {
  try {
    const name = decodeURIComponent(segment.replace(/%(?![0-9a-f]{2})/gi, '%25'));
    return /[\\/]/.test(name) || name === '.' || name === '..' ? null : encodeURIComponent(name);
  } catch {
    return null;
  }
}

function malformed(address: string): MetadataError {
  return new MetadataError(
    'address-malformed',
    `${shown(address)} is not an address of IPFS or Arweave`,
    false,
  );
}
