// The built command line, without checking whether it is stale: `npm run test:faults` has just built it.
process.env.NODE_ENV ??= 'production';
const { main } = await import('../../../dist/src/main.js');
await main(process.argv);
