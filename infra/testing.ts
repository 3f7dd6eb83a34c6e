import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { aStack } from './synthesized.ts';

/** A PEM file with one CA of client certificates. */
export const CLIENT_AUTHORITY = join(mkdtempSync(join(tmpdir(), 'davit-clients-')), 'client-ca.pem');
writeFileSync(CLIENT_AUTHORITY, (await newSigner(new Date())).certificate);

const made = new Map<string, Template>();

/** The template of a context. It is cached, because synthesis takes longer than a test's queries. */
export function templateOf(context: Readonly<Record<string, unknown>> = {}): Template {
  const name = JSON.stringify(context);
  const template = made.get(name) ?? Template.fromStack(aStack(context));
  made.set(name, template);
  return template;
}
