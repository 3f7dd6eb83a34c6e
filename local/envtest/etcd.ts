import { createServer } from 'node:http';

/* Replaces etcd in controller-runtime's envtest. It reports that it is healthy, and stores nothing. */
const given = process.argv.slice(2);
const url = given.find((flag) => flag.startsWith('--listen-client-urls='))?.replace(/^[^=]*=/, '');
if (given.includes('--help')) console.log('in place of etcd: nothing is stored here');
else if (url === undefined || !URL.canParse(url)) {
  console.error('etcd: --listen-client-urls=<url> is needed');
  process.exitCode = 1;
} else {
  const { hostname, port } = new URL(url);
  createServer((_, response) => response.end('{"health":"true"}')).listen(Number(port), hostname);
}
