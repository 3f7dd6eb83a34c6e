import { Template } from 'aws-cdk-lib/assertions';
import { aStack } from './synthesized.ts';

const made = new Map<string, Template>();

/** The template of a context. Made once: what CDK does takes longer than what a test asks. */
export function templateOf(context: Readonly<Record<string, unknown>> = {}): Template {
  const name = JSON.stringify(context);
  const template = made.get(name) ?? Template.fromStack(aStack(context));
  made.set(name, template);
  return template;
}
