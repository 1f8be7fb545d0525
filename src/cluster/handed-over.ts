import type { Worker } from 'node:cluster';

/** A message of Node's cluster between the primary process and another one. */
interface ClusterMessage {
  act?: string;
  /** The number of a message that the other end acknowledges. */
  seq?: number;
  /** The number that it acknowledges. */
  ack?: number;
}

/**
 * Closes the connections that were being handed to a process when it ended. Node's cluster (20 to 24) closes
 * the primary process's copy of a connection when the other process says that it has it. One that is killed
 * before says nothing: the client would wait without an answer or an end, and the primary process would keep
 * the socket for ever. No other process can take it over, because the one that ended may have read from it.
 */
export function closeUntaken({ process: child }: Worker): void {
  const handedOver = new Map<number, { close(): void }>();
  const send = child.send.bind(child) as (...args: readonly unknown[]) => boolean;
  child.send = (message: ClusterMessage, handle?: unknown, ...more: readonly unknown[]) => {
    if (message.act === 'newconn' && message.seq !== undefined)
      handedOver.set(message.seq, handle as { close(): void });
    return send(message, handle, ...more);
  };
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) handedOver.delete(ack);
  });
  let isSaid = false;
  child.once('disconnect', () => (isSaid = true));
  const disconnect = child.disconnect.bind(child);
  // Node calls it when the other end of the channel is closed and all messages are read.
  child.disconnect = () => {
    disconnect();
    process.nextTick(() => {
      // Node itself does not say so while a handle is not acknowledged, and would hand more connections to
      // that process.
      if (!isSaid) child.emit('disconnect');
      for (const handle of handedOver.values()) handle.close();
      handedOver.clear();
    });
  };
}
