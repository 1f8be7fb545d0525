import { startScriptedNode, type Asked, type Said, type ScriptedNode } from './scripted-node.js';

/**
 * A node that answers as another one does, except where `alter` gives another answer.
 *
 * @param alter gets a call and the honest answer: `{ result }` or `{ error }`; null keeps it
 */
export function startAlteredNode(
  target: string,
  alter: (asked: Asked, honest: Record<string, unknown>) => Said | null,
): Promise<ScriptedNode> {
  return startScriptedNode(
    async (asked) => {
      const { path, id, method, params } = asked;
      const reply = await fetch(target + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      });
      const text = await reply.text();
      if (!text.startsWith('{')) return { status: reply.status, body: text };
      const honest = JSON.parse(text) as Record<string, unknown>;
      return alter(asked, honest) ?? (honest as Said);
    },
    { saysIdentity: true },
  );
}
