import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countOperations } from './operations.ts';
import { rounded } from './rounded.ts';

writeFileSync(join(import.meta.dirname, '../../../scripts/cost/counted.json'), rounded(await countOperations()));
process.exit();
