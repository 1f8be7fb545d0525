/** Cells of a side; the right half mirrors the left one. */
const SIDE = 5;
const HALF = Math.ceil(SIDE / 2);

/** FNV-1a of a text, 32 bits: equal texts look equal, and similar ones do not. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  // Its low bits alone differ little between texts that differ at the end.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** A picture by which people tell addresses apart. It proves nothing: others may look the same. */
export function Identicon({ of }: { of: string }) {
  const hash = hashOf(of);
  const cells = [...Array(SIDE * HALF).keys()].filter((bit) => (hash >>> bit) & 1);
  const path = cells
    .flatMap((bit) => {
      const [x, y] = [bit % HALF, Math.floor(bit / HALF)];
      return [...new Set([x, SIDE - 1 - x])].map((column) => `M${column} ${y}h1v1h-1z`);
    })
    .join('');
  // Presentation attributes are no inline style, which the policy of the page refuses.
  return (
    <svg class="identicon" viewBox={`-1 -1 ${SIDE + 2} ${SIDE + 2}`} aria-hidden="true">
      <path d={path} fill={`hsl(${(hash >>> 16) % 360} 55% 50%)`} />
    </svg>
  );
}
