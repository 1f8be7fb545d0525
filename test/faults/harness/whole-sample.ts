import type pg from 'pg';
import { expect } from 'vitest';
import { rowCountsOf, listedOutputs } from '../../harness/data-folder.js';
import { readSample } from '../../harness/sample.js';
import { rowsMissing } from './rows.js';

/**
 * The sample is there, by the front door and by a count of what is stored.
 *
 * @param client of the database that the gateway serves
 * @returns the outputs that were listed right, and the rows of the sample that are not stored
 */
export async function expectWholeSample(
  url: string,
  client: pg.Client,
): Promise<{ right: number; lost: number }> {
  const { listed, generated } = await listedOutputs(url);
  expect(listed).toEqual(generated);
  const held = await rowCountsOf(client);
  const { files, allUtxos, allTransactions } = readSample();
  const whole = { utxo: allUtxos.length, transaction: allTransactions.length };
  expect(held).toMatchObject(whole);
  expect(held['subnet_metric'], 'the last file').toBeGreaterThan(0);
  const messages = files.get('fuji.icm.messages')?.length ?? 0;
  expect(held['icm_message']).toBe(messages);
  return { right: listed.length, lost: rowsMissing({ ...whole, icm_message: messages }, held) };
}
