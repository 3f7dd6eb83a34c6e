import { complete } from './completion.ts';
import { kubectl } from './kubectl.ts';

const { lines, directive } = await complete(process.argv.slice(2), kubectl);
process.stdout.write([...lines, `:${directive}`].map((line) => `${line}\n`).join(''));
