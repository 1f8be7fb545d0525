import { useEffect } from 'preact/hooks';
import { explorerTitle } from '../src/http/pages/explorer-titles.js';

/** Gives each page its title, description and address: those that the gateway serves with it. */
export function useHead(path: string): void {
  useEffect(() => {
    const { title, description } = explorerTitle(path);
    document.title = title;
    document.querySelector('meta[name="description"]')?.setAttribute('content', description);
    document.querySelector('link[rel="canonical"]')?.setAttribute('href', path);
  }, [path]);
}
