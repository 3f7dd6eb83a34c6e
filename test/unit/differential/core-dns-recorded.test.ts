import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'dns-packet';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ClusterZone } from '#lib/node/dns/cluster-zone.ts';
import { Responder, type Upstream } from '#lib/node/dns/responder.ts';
import { compared } from '#test/support/dns/ask.ts';
import { differenceOf } from '#test/support/dns/differences.ts';
import { fixedObjects, namesWithoutServer } from '#test/support/dns/objects.ts';
import { messageOf, recordedQuestions } from '#test/support/dns/questions.ts';
import { answerTo } from '#test/support/dns/upstream.ts';

const lines = z.array(z.string());
const recorded = z
  .array(
    z.object({
      name: z.string(),
      type: z.string(),
      rcode: z.number(),
      flags: z.string(),
      isDnssec: z.boolean(),
      answers: lines,
      authority: lines,
      additional: lines,
    }),
  )
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'core-dns.json'), 'utf8')));

const upstream: Upstream = {
  ask: async (message) => answerTo(Buffer.from(message)),
  lookup: async (name) => [{ name, ttl: 9, data: { type: 'A', address: [192, 0, 2, 9] } }],
};
const settings = { domain: 'cluster.local', servers: ['192.0.2.2'], serial: () => 0, isSynced: () => true };
const responder = new Responder(new ClusterZone(namesWithoutServer(fixedObjects()), settings), upstream);

test.each(recordedQuestions().map((asked) => ({ ...asked, asked })))(
  '$name $type has the recorded answer of CoreDNS 1.12.4',
  async ({ asked }) => {
    const known = recorded.find(({ name, type }) => name === asked.name && type === asked.type);
    if (known === undefined) throw new Error('the answer is not recorded');
    const { name: _name, type: _type, ...theirs } = known;
    const answer = await responder.respond(messageOf(asked, 1), 'tcp');
    const ours = compared(Buffer.from(answer ?? encode({})));
    if (differenceOf({ asked, ours, theirs }) !== '') return;
    expect(ours).toEqual(theirs);
  },
);
