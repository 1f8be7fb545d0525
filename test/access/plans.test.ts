import { describe, expect, test } from 'vitest';
import { resolvePlans } from '../../src/access/plans.js';
import { ConfigError, loadConfig } from '../../src/config.js';
import { settings } from '../../src/config/settings.js';

function plansOf(overrides: unknown) {
  return resolvePlans(loadConfig({ PLANS: JSON.stringify(overrides) }).PLANS);
}

test('without settings there are five plans, with the numbers that the setting PLANS describes', () => {
  const plans = resolvePlans(loadConfig({}).PLANS);
  expect(plans.names).toEqual(['anonymous', 'free', 'base', 'growth', 'pro']);
  for (const name of plans.names) {
    const { requests, seconds, perDay, rights } = plans.find(name) ?? plans.anonymous;
    expect(settings.PLANS.description).toContain(`${name} ${requests} and ${perDay}`);
    expect(seconds).toBe(60);
    expect(rights).toEqual(['reindex']);
  }
});

describe('PLANS', () => {
  test('is laid over the defaults field by field', () => {
    const plans = plansOf({ free: { requests: 60, perDay: null, rights: [] } });
    expect(plans.find('free')).toEqual({
      name: 'free',
      requests: 60,
      seconds: 60,
      perDay: null,
      streams: 100,
      events: 60,
      rights: [],
    });
    expect(plans.find('pro')).toEqual(resolvePlans().find('pro'));
  });

  test('adds a plan and removes one', () => {
    const plans = plansOf({ partner: { requests: 5, seconds: 1 }, base: null });
    expect(plans.find('partner')).toMatchObject({
      requests: 5,
      seconds: 1,
      perDay: null,
      rights: ['reindex'],
    });
    expect(plans.find('base')).toBeUndefined();
    expect(plans.find('toString')).toBeUndefined();
  });

  test.each([
    [{ free: { requests: 0 } }, /^PLANS: free: requests: .*1/],
    [{ free: { requests: 1.5, seconds: 'x' } }, /requests: .*; seconds: /],
    [{ free: { request: 5 } }, /PLANS: free: .*"request"/],
    [{ free: { fields: { 'Query.x': { calls: 0, seconds: 60 } } } }, /fields\.Query\.x\.calls: .*1/],
    [{ free: { fields: { 'Query.x': { calls: 10_001, seconds: 60 } } } }, /fields\.Query\.x\.calls: .*10000/],
    [{ free: { fields: { 'Query.x': { max: 5 } } } }, /fields\.Query\.x\.calls: .*"max"/],
    [{ free: { rights: ['admin'] } }, /PLANS: free: rights\.0: .*reindex/],
    [{ free: { requests: 100, perDay: 99 } }, /PLANS: free: perDay: must be at least requests/],
    [{ partner: { requests: 5 } }, /PLANS: partner: seconds: /],
    [{ 'a"b': { requests: 5, seconds: 1 } }, /PLANS: a"b: a name is a letter/],
    [{ free: 5 }, /PLANS: free: must be an object/],
    [{ anonymous: null }, /PLANS: anonymous cannot be removed/],
    [[], /PLANS: must be an object of plans by name/],
  ])('%j is refused, naming the setting and the field', (overrides, message) => {
    expect(() => plansOf(overrides)).toThrow(ConfigError);
    expect(() => plansOf(overrides)).toThrow(message);
  });
});
