import { shown } from '../../../outbound/target.js';
import { MetadataError, type MetadataReason } from './error.js';

/** Gateways that the operator set, by what they serve; undefined where there is none. */
export interface Gateways {
  ipfs: string | undefined;
  arweave: string | undefined;
}

/** Content that a gateway serves by what it is, and not by where it lies. */
interface Content {
  network: keyof Gateways;
  /** On the gateway, without a leading slash: `ipfs`, `ipns`, or nothing on Arweave's. */
  namespace: string;
  root: string;
  /** Empty, or from its first slash on. */
  path: string;
  /** The address is a web address as well: without a gateway it is fetched as it stands. */
  onWeb: boolean;
}

// CIDv0, CIDv1 in base32, and the keys of IPNS in base36: what a path of an ordinary site does not begin with.
const cid = '(?:Qm[1-9A-HJ-NP-Za-km-z]{4,}|baf[a-z2-7]{4,}|k51[a-z0-9]{4,})';
const arweaveId = '[a-zA-Z0-9_-]{43}';

// `#` and `?` are part of file names where the scheme is IPFS's or Arweave's own, which is how collections use them.
const ownSchemes: [RegExp, keyof Gateways][] = [
  [
    /^(?<scheme>ip[fn]s|dweb):\/{0,2}(?:(?<namespace>ip[fn]s)\/)?(?<root>[a-z0-9._-]+)(?<path>\/.*)?$/is,
    'ipfs',
  ],
  [/^(?:ar|arweave):\/{0,2}(?<root>[a-z0-9_-]+)(?<path>\/.*)?$/is, 'arweave'],
  [/^\/?(?<namespace>ip[fn]s)\/(?<root>[a-z0-9._-]+)(?<path>\/.*)?$/is, 'ipfs'],
  [new RegExp(`^(?<root>${cid})(?<path>/.*)?$`, 's'), 'ipfs'],
];

// Of a gateway's own address the query is for that gateway.
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

/** What an address of IPFS (`<gateway>/ipfs/<cid>/<path>`) or Arweave (`<gateway>/<id>/<path>`) is on a gateway. */
export interface GatewayAddress {
  url: string;
  network: keyof Gateways;
}

/**
 * The address under which the operator's gateway serves a document that is found by its content: `ipfs://`, `ipns://`,
 * `dweb:/ipfs/`, `/ipfs/…`, a bare CID, `ar://`, and web addresses of public gateways to either.
 *
 * @returns null for every other address, and for a public gateway's where the operator has none
 * @throws MetadataError for a path that would leave its content on the gateway, and where no gateway is configured
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

// The gateway is trusted and may serve more than this, so no path may climb out, however it is written: null.
// File names hold lone percent signs too ("100%.json"); those stand for themselves.
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
