import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { parseContext } from './context.ts';
import { PlatformStack } from './platform-stack.ts';

/** The stack that a context makes, without bundles. */
export function aStack(context: Readonly<Record<string, unknown>> = {}): PlatformStack {
  const admin = 'arn:aws:iam::123456789012:role/Admin';
  return new PlatformStack(new App(), 'Davit', parseContext({ admin, bundle: false, ...context }));
}

export const templateOf = (context: Readonly<Record<string, unknown>> = {}): Template =>
  Template.fromStack(aStack(context));
