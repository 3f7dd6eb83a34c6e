import { report } from './cost/report.ts';

try {
  console.log(report(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(error.message);
  process.exit(2);
}
