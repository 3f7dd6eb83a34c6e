import { createServer } from 'node:http';

/*
 * EC2's metadata service of one instance, version 2 only. Its arguments are the id of the instance and the addresses to listen on. It needs
 * only this file, and runs in its own network namespace.
 */
const [instance = '', ...addresses] = process.argv.slice(2);
const ROLES = '/latest/meta-data/iam/security-credentials/';
const CREDENTIALS = { Code: 'Success', AccessKeyId: 'ASIAEXAMPLE', SecretAccessKey: 'secret', Token: `of-${instance}` };
const VALUES: Readonly<Record<string, string>> = {
  '/latest/meta-data/instance-id': instance,
  '/latest/meta-data/placement/region': 'eu-west-1',
  [ROLES]: 'edge-nodes',
  [`${ROLES}edge-nodes`]: JSON.stringify(CREDENTIALS),
};

for (const address of addresses)
  createServer(({ method, url = '', headers }, response) => {
    if (method === 'PUT') return void response.end('session');
    if (headers['x-aws-ec2-metadata-token'] !== 'session') return void response.writeHead(401).end();
    const value = VALUES[url];
    response.writeHead(value === undefined ? 404 : 200).end(value);
  }).listen(80, address, () => console.log(address));
