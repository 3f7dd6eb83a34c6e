import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Caches stripped and compiled code between starts, which halves the start time and saves 30 MB.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/davit'));
