import { Check, Copy as Sheets } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.js';

/** How long it says that something was copied, milliseconds. */
const SAID_MS = 2000;

/** A button that copies a text, and says so for a moment. */
export function Copy({ text }: { text: string }) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (!said) return;
    const timer = window.setTimeout(() => setSaid(undefined), SAID_MS);
    return () => window.clearTimeout(timer);
  }, [said]);
  return (
    <button
      type="button"
      class="copy"
      aria-label={`Copy ${text.slice(0, 100)}`}
      title="Copy"
      onClick={() => void copied(text).then((isCopied) => setSaid(isCopied ? 'copied' : 'not copied'))}
    >
      <Icon of={said === 'copied' ? Check : Sheets} />
      <span class="said" role="status">
        {said}
      </span>
    </button>
  );
}

/** @returns whether the text is on the clipboard */
async function copied(text: string): Promise<boolean> {
  try {
    // Undefined where the page came over plain http from another machine.
    if ('clipboard' in navigator) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused, for example in a frame: the older way may be allowed.
  }
  return copiedBySelection(text);
}

/** The only way without a secure context: the browser copies what is selected. */
function copiedBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  field.readOnly = true;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
