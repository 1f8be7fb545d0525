/** Nothing could be verified. The message is for people and says the way out. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError';
}
