import { Forwarder } from '#adapters/node/dns/forwarder.ts';
import { DnsServer } from '#adapters/node/dns/server.ts';
import { ClusterZone } from '#lib/node/dns/cluster-zone.ts';
import { Responder } from '#lib/node/dns/responder.ts';
import { namesWithoutServer } from '#test/support/dns/objects.ts';
import { manyObjects } from './dns-objects.ts';

/** Runs only the node agent's DNS, as a separate process, and prints its port. */
const settings = { domain: 'cluster.local', servers: ['127.0.0.1'], serial: () => 1, isSynced: () => true };
const zone = new ClusterZone(namesWithoutServer(manyObjects()), settings);
const server = new DnsServer(new Responder(zone, new Forwarder(async () => [])));
console.log(await server.listen('127.0.0.1', 0));
