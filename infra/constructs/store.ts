import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { TABLE } from '#adapters/aws/dynamodb/table.ts';
import type { Context } from '../context.ts';

/**
 * The key's period of rotation, the longest that there is: each of the first two rotations adds a dollar to every month that
 * follows. Secrets do not wait for it: their data keys last an hour.
 */
const ROTATION = Duration.days(2560);

/** Whether the data outlives the stack, and the limits on read and write costs. */
export interface StoreProps extends Pick<Context, 'maxReadUnits' | 'maxWriteUnits'> {
  /** Whether table and key stay when the stack is deleted, with deletion protection for the table. */
  readonly retain: boolean;
  /** The ARN of the stream of a table that there is, such as a restored one. Default: the stack makes its table. */
  readonly stream?: string;
}

/** The data of a control plane: the one table and the one key that encrypts it, and Secrets once more before they reach it. */
export class Store extends Construct {
  readonly table: Table | ITable;
  readonly key: Key;

  constructor(scope: Construct, id: string, props: StoreProps) {
    super(scope, id);
    const { retain, stream } = props;
    const removalPolicy = retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    this.key = new Key(this, 'Key', {
      description: 'Davit: the table, and the data keys of Secrets',
      enableKeyRotation: true,
      rotationPeriod: ROTATION,
      removalPolicy,
    });
    this.table = stream === undefined ? this.#made(props, removalPolicy) : this.#named(stream);
  }

  #named(stream: string): ITable {
    const [tableArn = ''] = stream.split('/stream/');
    return Table.fromTableAttributes(this, 'Table', { tableArn, tableStreamArn: stream, encryptionKey: this.key });
  }

  #made({ maxReadUnits, maxWriteUnits, retain }: StoreProps, removalPolicy: RemovalPolicy): Table {
    return new Table(this, 'Table', {
      partitionKey: { name: TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: TABLE.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: TABLE.timeToLive,
      billingMode: BillingMode[TABLE.billing],
      maxReadRequestUnits: maxReadUnits,
      maxWriteRequestUnits: maxWriteUnits,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.key,
      stream: StreamViewType[TABLE.streamView],
      deletionProtection: retain,
      removalPolicy,
    });
  }
}
