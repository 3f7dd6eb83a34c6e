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
 * The rotation period of the key, the longest that KMS allows. Each of the first two rotations adds a dollar to every following month.
 * Secrets do not depend on the rotation, because their data keys last an hour.
 */
const ROTATION = Duration.days(2560);

/** Whether the data outlives the stack, and the limits on read and write costs. */
export interface StoreProps extends Pick<Context, 'maxReadUnits' | 'maxWriteUnits'> {
  /** Whether the table and key outlive the stack, with deletion protection for the table. */
  readonly retain: boolean;
  /** The stream ARN of an existing table, such as a restored one. Default: the stack creates the table. */
  readonly stream?: string;
}

/**
 * The data of a control plane: one table, and one key that encrypts it. The key also encrypts Secrets before they are stored in the table.
 */
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
