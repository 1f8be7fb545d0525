/**
 * Measures peers in interleaved rounds.
 *
 * @returns what was measured of each peer, round by round
 */
export async function inRounds<Peer, Result>(
  peers: readonly Peer[],
  rounds: number,
  measure: (peer: Peer) => Promise<Result>,
): Promise<Result[][]> {
  const measured = peers.map((): Result[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, peer] of peers.entries()) measured[index]?.push(await measure(peer));
  return measured;
}
