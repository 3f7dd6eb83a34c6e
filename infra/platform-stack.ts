import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Store } from './constructs/store.ts';
import type { Context } from './context.ts';

const RETAINED = 'the table and its key: delete them by hand once nobody needs the data';

/** What a control plane is made of in an account. So far: the table that holds every log and every object, and its key. */
export class PlatformStack extends Stack {
  constructor(scope: Construct, id: string, context: Context, props?: StackProps) {
    super(scope, id, props);
    const retain = context.stage === 'production';
    const { table } = new Store(this, 'Store', { retain });
    this.#output('TableName', 'the table that holds every object', table.tableName);
    this.#output('AfterDestroy', 'what cdk destroy leaves', retain ? RETAINED : 'nothing');
  }

  #output(id: string, description: string, value: string): void {
    new CfnOutput(this, id, { description, value });
  }
}
