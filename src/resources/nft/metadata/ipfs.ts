import { shown } from '../../../outbound/target.js';
import { MetadataError } from './error.js';

const ipfsAddress = /^(ip[fn]s):\/\/(?:ip[fn]s\/)?([a-z0-9._-]+)(\/.*)?$/is;

/**
 * The address under which a gateway serves an `ipfs://` or `ipns://` address (path gateway convention:
 * `<gateway>/ipfs/<cid>/<path>`). `#` and `?` in it are part of file names, which is how collections use them.
 *
 * @throws MetadataError for a path that would leave its content on the gateway, and where no gateway is configured
 */
export function ipfsGatewayUrl(address: string, gateway: string | undefined): string {
  if (gateway === undefined) {
    const message = 'the metadata is on IPFS, and no gateway to it is configured (IPFS_GATEWAY)';
    throw new MetadataError('no-ipfs-gateway', message, false);
  }
  const [, scheme = '', root = '', path = ''] = ipfsAddress.exec(address) ?? [];
  const segments = path.split('/').map(encodeSegment);
  if (root === '' || /^\.+$/.test(root) || segments.includes(null)) {
    throw new MetadataError('address-malformed', `${shown(address)} is not an IPFS address`, false);
  }
  return `${gateway.replace(/\/+$/, '')}/${scheme.toLowerCase()}/${root}${segments.join('/')}`;
}

// The gateway is trusted and may serve more than IPFS, so no path may climb out, however it is written: null.
// File names hold lone percent signs too ("100%.json"); those stand for themselves.
function encodeSegment(segment: string): string | null {
  try {
    const name = decodeURIComponent(segment.replace(/%(?![0-9a-f]{2})/gi, '%25'));
    return /[\\/]/.test(name) || name === '.' || name === '..' ? null : encodeURIComponent(name);
  } catch {
    return null;
  }
}
