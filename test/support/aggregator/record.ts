import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { play } from './play.ts';

const USAGE = `usage: node test/support/aggregator/record.ts --server URL --token TOKEN --certificate-authority FILE

Records how a kube-apiserver with aggregation answers the cases. The server has to be empty, to reach this machine's
loopback interface, and to know the token as the user "admin" of the group system:masters.`;

const { values } = parseArgs({
  options: { server: { type: 'string' }, token: { type: 'string' }, 'certificate-authority': { type: 'string' } },
});
const { server: url, token, 'certificate-authority': file } = values;
if (url === undefined || token === undefined || file === undefined) {
  console.error(USAGE);
  process.exit(2);
}
const played = await play({ url, token, certificateAuthority: readFileSync(file, 'utf8') });
writeFileSync(new URL('recorded.json', import.meta.url), `${JSON.stringify(played, undefined, 1)}\n`);
