import { davit } from './davit.ts';
import { messageOf } from './start-fault.ts';

try {
  await davit(process.argv.slice(2));
} catch (error) {
  console.error(`davit: ${messageOf(error)}`);
  process.exit(1);
}
