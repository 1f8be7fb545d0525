import type { Resource } from '../../resource.js';
import { blockExport } from './export.js';
import { blockImport } from './import.js';

export const block: Resource = { files: [blockImport], exports: [blockExport] };
