import {
  ArrowDownLeft,
  ArrowRightLeft,
  ArrowUpRight,
  Blocks,
  CircleQuestionMark,
  CirclePlus,
  Clock,
  Coins,
  Gavel,
  Layers,
  Network,
  Scale,
  ShieldCheck,
  ShieldPlus,
  ShieldX,
  Trophy,
  Users,
  Wrench,
  type IconNode,
} from 'lucide';
import type { TxType } from '../generated/graphql.js';

interface TypeWords {
  /** Few words, for a badge. */
  short: string;
  icon: IconNode;
}

/** What each type of transaction does. */
export const typeWords: Readonly<Record<TxType, TypeWords>> = {
  AddDelegatorTx: { short: 'Delegation', icon: Users },
  AddPermissionlessDelegatorTx: { short: 'Delegation', icon: Users },
  AddPermissionlessValidatorTx: { short: 'Stake', icon: ShieldCheck },
  AddSubnetValidatorTx: { short: 'Subnet validator', icon: ShieldPlus },
  AddValidatorTx: { short: 'Stake', icon: ShieldCheck },
  AdvanceTimeTx: { short: 'Clock', icon: Clock },
  BaseTx: { short: 'Transfer', icon: ArrowRightLeft },
  ConvertSubnetToL1Tx: { short: 'Subnet to L1', icon: Layers },
  CreateAssetTx: { short: 'New asset', icon: Coins },
  CreateChainTx: { short: 'New blockchain', icon: Blocks },
  CreateSubnetTx: { short: 'New subnet', icon: Network },
  DisableL1ValidatorTx: { short: 'L1 validator disabled', icon: ShieldX },
  ExportTx: { short: 'Export', icon: ArrowUpRight },
  ImportTx: { short: 'Import', icon: ArrowDownLeft },
  IncreaseL1ValidatorBalanceTx: { short: 'L1 balance', icon: CirclePlus },
  OperationTx: { short: 'Asset operation', icon: Wrench },
  RegisterL1ValidatorTx: { short: 'New L1 validator', icon: ShieldPlus },
  RemoveSubnetValidatorTx: { short: 'Validator removed', icon: ShieldX },
  RewardValidatorTx: { short: 'End of stake', icon: Trophy },
  SetL1ValidatorWeightTx: { short: 'L1 weight', icon: Scale },
  TransferSubnetOwnershipTx: { short: 'New owners', icon: Gavel },
  TransformSubnetTx: { short: 'Subnet opened', icon: Network },
  UNKNOWN: { short: 'Other', icon: CircleQuestionMark },
};
