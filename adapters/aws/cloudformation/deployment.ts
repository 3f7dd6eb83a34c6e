import * as z from 'zod';

const deployment = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
});

/** CloudFormation's event for a custom resource. CloudFormation waits for a response. */
export type Deployment = Readonly<z.infer<typeof deployment>>;

/** Decodes the event of a custom resource. Undefined for any other event. */
export const deploymentOf = (event: unknown): Deployment | undefined => deployment.safeParse(event).data;
