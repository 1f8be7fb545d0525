import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientIdentity, parseTrustedProxies } from '../../src/access/client-address.js';

const nobody = parseTrustedProxies([]);
const proxies = parseTrustedProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48']);

describe('without trusted proxies', () => {
  test('a client is its address, whatever X-Forwarded-For says', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.string(), (address, header) => {
        expect(clientIdentity(address, header, nobody)).toBe(`ip:${address}`);
      }),
    );
  });

  test('an IPv6 client is its /64', () => {
    expect(clientIdentity('2001:db8:1:2:3:4:5:6', undefined, nobody)).toBe('ip:2001:db8:1:2::/64');
    expect(clientIdentity('2001:db8:1:2:ffff::1', undefined, nobody)).toBe('ip:2001:db8:1:2::/64');
    expect(clientIdentity('2001:db8:1:3::1', undefined, nobody)).toBe('ip:2001:db8:1:3::/64');
    expect(clientIdentity('fe80::1%eth0', undefined, nobody)).toBe('ip:fe80::/64');
    expect(clientIdentity('::1', undefined, nobody)).toBe('ip:::/64');
  });

  test('an IPv4 address that arrives inside an IPv6 one is the IPv4 address', () => {
    expect(clientIdentity('::ffff:203.0.113.9', undefined, nobody)).toBe('ip:203.0.113.9');
    expect(clientIdentity('::ffff:cb00:7109', undefined, nobody)).toBe('ip:203.0.113.9');
  });

  test('a connection without address has an identity too', () => {
    expect(clientIdentity(undefined, '203.0.113.9', nobody)).toBe('ip:unknown');
  });
});

describe('behind trusted proxies', () => {
  test('X-Forwarded-For is believed from a trusted peer alone', () => {
    expect(clientIdentity('10.1.1.1', '203.0.113.9', proxies)).toBe('ip:203.0.113.9');
    expect(clientIdentity('::ffff:10.1.1.1', '203.0.113.9', proxies)).toBe('ip:203.0.113.9');
    expect(clientIdentity('2001:db8:ffff::1', '2001:db8:5:6::9', proxies)).toBe('ip:2001:db8:5:6::/64');
    expect(clientIdentity('198.51.100.1', '203.0.113.9', proxies)).toBe('ip:198.51.100.1');
  });

  test('the first address from the right that is not trusted is the client, so callers cannot choose theirs', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.ipV4(), fc.string()), { maxLength: 4 }), (forged) => {
        const header = [...forged, '203.0.113.9', '10.2.2.2', '192.0.2.1'].join(', ');
        expect(clientIdentity('10.1.1.1', header, proxies)).toBe('ip:203.0.113.9');
      }),
    );
  });

  test('a list of trusted addresses alone ends at the leftmost', () => {
    expect(clientIdentity('10.1.1.1', '10.3.3.3, 10.2.2.2', proxies)).toBe('ip:10.3.3.3');
  });

  test('what is no address ends the walk at the proxy that reported it', () => {
    for (const header of ['unknown', '', '203.0.113.9, ', '0x7f.1', '1.2.3', '999.1.1.1', 'fe80::zz'])
      expect(clientIdentity('10.1.1.1', header, proxies)).toBe('ip:10.1.1.1');
  });

  test('ports and brackets are taken off', () => {
    expect(clientIdentity('10.1.1.1', '203.0.113.9:4711', proxies)).toBe('ip:203.0.113.9');
    expect(clientIdentity('10.1.1.1', '[2001:db8:1:2::3]:4711', proxies)).toBe('ip:2001:db8:1:2::/64');
    expect(clientIdentity('10.1.1.1', '[2001:db8:1:2::3]', proxies)).toBe('ip:2001:db8:1:2::/64');
  });
});

test('wrong entries of TRUSTED_PROXIES are named all at once', () => {
  expect(() =>
    parseTrustedProxies(['10.0.0.0/8', '10.0.0.0/33', 'proxy.example', '::/129', '1.2.3.4/8/8']),
  ).toThrow('TRUSTED_PROXIES: "10.0.0.0/33", "proxy.example", "::/129", "1.2.3.4/8/8" is neither');
});
