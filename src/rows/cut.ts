/** As much of a text as has so many bytes in UTF-8, without half a character at its end. */
export function cutText(text: string, longest: number): string {
  // No character has more than three bytes for each of its code units.
  if (text.length * 3 <= longest) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= longest) return text;
  return new TextDecoder().decode(bytes.subarray(0, longest), { stream: true });
}
