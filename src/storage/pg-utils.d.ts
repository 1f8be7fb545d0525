/** What pg exports of itself, and does not declare. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** A value as the protocol has it. @throws Error for one that cannot be sent */
    prepareValue(value: unknown): Buffer | string | null;
  };
  export default utils;
}
