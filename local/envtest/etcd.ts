import { createServer } from 'node:http';

/* What controller-runtime's envtest starts as etcd: it says that it is well, and is asked nothing else. */
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
