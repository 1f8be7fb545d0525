import { parseJson } from '../../json.js';
import type { EffectNode } from './fields.js';

export function toEffectNode({ text }: { text: string }): EffectNode {
  return parseJson(text) as EffectNode;
}
