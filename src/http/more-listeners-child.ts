/*
 * The process that `listenMore` starts: it returns the handle of a listening socket so many times, and ends.
 * Each returns as another descriptor of the same socket. It never listens itself: a connection that it
 * accepted would be lost.
 */
process.on('message', (count: number, handle: unknown) => {
  let left = count;
  const sent = () => {
    left -= 1;
    if (left === 0) process.disconnect();
  };
  for (let index = 0; index < count; index += 1) process.send?.('listener', handle as never, {}, sent);
});
