import { Stage } from 'aws-cdk-lib';
import { aStack } from '../../infra/synthesized.ts';

/** A resource of a CloudFormation template. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** Resources by logical id. */
export type Resources = Readonly<Record<string, Resource>>;

const made = new Map<string, Resources>();

/** The resources that a deployment with this context would create. Each context is synthesized once. */
export function synthesized(context: Readonly<Record<string, unknown>>): Resources {
  const name = JSON.stringify(context);
  const resources = made.get(name) ?? synthesize(context);
  made.set(name, resources);
  return resources;
}

function synthesize(context: Readonly<Record<string, unknown>>): Resources {
  const stack = aStack(context);
  const template: { Resources: Resources } | undefined = Stage.of(stack)
    ?.synth()
    .getStackByName(stack.stackName).template;
  return template?.Resources ?? {};
}
