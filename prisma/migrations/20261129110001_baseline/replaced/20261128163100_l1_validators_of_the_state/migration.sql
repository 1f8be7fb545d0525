-- L1 validators that the state has and that no stored transaction changed have a row too: those of before a P-chain was begun.
INSERT INTO l1_validator (network, validation_id)
SELECT f.network, f.validation_id FROM follow_l1_validator f
WHERE f.weight > 0 AND NOT EXISTS (
  SELECT 1 FROM l1_validator known WHERE known.network = f.network AND known.validation_id = f.validation_id)
ORDER BY 1, 2;
