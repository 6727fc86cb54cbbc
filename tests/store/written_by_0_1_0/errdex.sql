BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE day_digest (
	day VARCHAR(10) NOT NULL, 
	about VARCHAR(80) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	PRIMARY KEY (day, about, digest)
);
INSERT INTO "day_digest" VALUES('2026-11-29','wanted:8c4e66a9c77fa52b','574b6acd0dd7005c6b9c2f957b38baaf');
INSERT INTO "day_digest" VALUES('2026-11-29','wanted:8c4e66a9c77fa52b','577f6881585b78df233cb71736ae7e9c');
INSERT INTO "day_digest" VALUES('2026-11-29','wanted:78feefe16a758c4e','0755fab5f5fdd11b1a711dbfd613d137');
INSERT INTO "day_digest" VALUES('2026-11-29','wanted:78feefe16a758c4e','94d84433f1b05e1de798c06b09e4e45e');
INSERT INTO "day_digest" VALUES('2026-11-29','wanted:78feefe16a758c4e','faf276e86194a372a8fd9a3c7b232c91');
CREATE TABLE day_salt (
	day VARCHAR(10) NOT NULL, 
	salt VARCHAR(64) NOT NULL, 
	PRIMARY KEY (day)
);
INSERT INTO "day_salt" VALUES('2026-11-29','8246bbc2b07c2dde0e8b36492e9da3d04fc03f1c3e7f1ef569ed8c696beb2aef');
CREATE TABLE entry (
	id INTEGER NOT NULL, 
	slug VARCHAR(161) NOT NULL, 
	project VARCHAR(80) NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	revision INTEGER NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	title_en VARCHAR(500) NOT NULL, 
	title_zh VARCHAR(500) NOT NULL, 
	changed DATETIME NOT NULL, 
	features TEXT NOT NULL, 
	words TEXT NOT NULL, 
	document TEXT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (slug)
);
INSERT INTO "entry" VALUES(1,'verl/first','verl','error','published',2,'f3db72f867dcc1b405c752be5e284f91f960de0167d030eb7bf4f60e8a6e5aac','The valve of verl/first','verl/first 的阀门','2026-11-29 01:46:13.000000','{"slug":"verl/first","title":["The valve of verl/first","verl/first 的阀门"],"also":[],"actions":null,"patterns":[[["greenhouseerror","valve"],[["greenhouseerror","verl","first","valve"],["is","frozen"]],"GreenhouseError: verl/first valve <*> is frozen",false,false]],"frames":[]}','[[["first","valv","verl"],["first","verl","的阀","阀门"],["back","line","mred","next","paragraph","quot","script","slash","tab","中文","标点"]],["back","caus","cold","first","fix","frozen","line","mred","next","paragraph","quot","script","slash","symptom","tab","valv","verl","warm","中文","修复","冻住","加热","原因","标点","现象","的阀","阀门"]]','{"slug":"verl/first","updated":"2026-11-20","titles":{"en":["quote '' \" back\\slash tab\t line next paragraph 中文，标点 😀 \u001b[31mred %s {x} </script>"]},"signatures":[{"pattern":"GreenhouseError: verl/first valve <*> is frozen"}],"en":{"title":"The valve of verl/first","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"verl/first 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: verl/first valve 17 is frozen\n"]}');
INSERT INTO "entry" VALUES(2,'verl/renamed','verl','error','published',1,'26874ebba7f9a071715aa870ed396db0fd0daa602beecf189a768e72e3965393','The valve of verl/renamed','verl/renamed 的阀门','2026-11-29 01:46:13.000000','{"slug":"verl/renamed","title":["The valve of verl/renamed","verl/renamed 的阀门"],"also":[],"actions":null,"patterns":[[["greenhouseerror","renamed"],[["greenhouseerror","verl","renamed","valve"],["is","frozen"]],"GreenhouseError: verl/renamed valve <*> is frozen",false,false]],"frames":[]}','[[["renam","valv","verl"],["renam","verl","的阀","阀门"]],["caus","cold","fix","frozen","renam","symptom","valv","verl","warm","修复","冻住","加热","原因","现象","的阀","阀门"]]','{"slug":"verl/renamed","updated":"2026-11-20","former":["verl/old","verl/older"],"signatures":[{"pattern":"GreenhouseError: verl/renamed valve <*> is frozen"}],"en":{"title":"The valve of verl/renamed","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"verl/renamed 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: verl/renamed valve 17 is frozen\n"]}');
INSERT INTO "entry" VALUES(3,'roll/gone','roll','error','withdrawn',2,'476cd858c511e15027b1a049e4ee1cab534ff39f76f49ccde58b55138a2ce051','The valve of roll/gone','roll/gone 的阀门','2026-11-29 01:46:13.000000','{"slug":"roll/gone","title":["The valve of roll/gone","roll/gone 的阀门"],"also":[],"actions":null,"patterns":[[["gone","greenhouseerror"],[["greenhouseerror","roll","gone","valve"],["is","frozen"]],"GreenhouseError: roll/gone valve <*> is frozen",false,false]],"frames":[]}','[[["gone","roll","valv"],["gone","roll","的阀","阀门"]],["caus","cold","fix","frozen","gone","roll","symptom","valv","warm","修复","冻住","加热","原因","现象","的阀","阀门"]]','{"slug":"roll/gone","status":"withdrawn","updated":"2026-11-20","signatures":[{"pattern":"GreenhouseError: roll/gone valve <*> is frozen"}],"en":{"title":"The valve of roll/gone","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"roll/gone 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: roll/gone valve 17 is frozen\n"]}');
INSERT INTO "entry" VALUES(4,'skyrl/a','skyrl','error','published',1,'e8369bef1badc3d0ed7aab13d3b40b9d8ccfbad15c6de02fbf926c944e7bf3d8','The valve of skyrl/a','skyrl/a 的阀门','2026-11-29 01:46:14.000000','{"slug":"skyrl/a","title":["The valve of skyrl/a","skyrl/a 的阀门"],"also":[],"actions":null,"patterns":[[["greenhouseerror","skyrl"],[["greenhouseerror","skyrl","a","valve"],["is","frozen"]],"GreenhouseError: skyrl/a valve <*> is frozen",false,false]],"frames":[]}','[[["skyrl","valv"],["skyrl","的阀","阀门"]],["caus","cold","fix","frozen","skyrl","symptom","valv","warm","修复","冻住","加热","原因","现象","的阀","阀门"]]','{"slug":"skyrl/a","tags":["x"],"updated":"2026-11-20","signatures":[{"pattern":"GreenhouseError: skyrl/a valve <*> is frozen"}],"en":{"title":"The valve of skyrl/a","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"skyrl/a 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: skyrl/a valve 17 is frozen\n"]}');
CREATE TABLE feedback (
	id INTEGER NOT NULL, 
	slug VARCHAR(161) NOT NULL, 
	voter VARCHAR(64) NOT NULL, 
	revision INTEGER NOT NULL, 
	vote VARCHAR(16) NOT NULL, 
	lang VARCHAR(2) NOT NULL, 
	at DATETIME NOT NULL, 
	noted DATETIME, 
	seen BOOLEAN NOT NULL, 
	note TEXT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (slug, voter)
);
INSERT INTO "feedback" VALUES(1,'verl/first','somebody',2,'outdated','zh','2026-11-29 01:46:13.000000','2026-11-29 01:46:13.000000',0,'quote '' " back\slash tab	 line
nextparagraph 中文，标点 😀 [31mred %s {x} </script>');
INSERT INTO "feedback" VALUES(2,'verl/first','person:1',2,'solved','en','2026-11-29 01:46:13.000000',NULL,0,'');
CREATE TABLE known_address (
	person INTEGER NOT NULL, 
	address VARCHAR(64) NOT NULL, 
	last DATETIME NOT NULL, 
	PRIMARY KEY (person, address), 
	FOREIGN KEY(person) REFERENCES person (id)
);
INSERT INTO "known_address" VALUES(1,'316c486fdf0e244f3337def1d737300a0b6788117da143937176aa60b2499de2','2026-11-29 01:46:13.000000');
CREATE TABLE login_session (
	digest VARCHAR(64) NOT NULL, 
	person INTEGER NOT NULL, 
	expires DATETIME NOT NULL, 
	PRIMARY KEY (digest), 
	FOREIGN KEY(person) REFERENCES person (id)
);
INSERT INTO "login_session" VALUES('7562465974892548c8786b581cbf0a28df3194c6180eeaa23bb91bfc05ee42bb',1,'2026-12-29 01:46:13.000000');
INSERT INTO "login_session" VALUES('e92dfcede2aecc60d5e6b082149f4d4738680f8f271a8ec9aa856f0d39fd133f',1,'2126-11-05 01:46:14.000000');
INSERT INTO "login_session" VALUES('4acb8b2c1f440efc913d79fb463219dd98e5319debf9f38504f10f03832200bc',2,'2126-11-05 01:46:14.000000');
CREATE TABLE person (
	id INTEGER NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	password VARCHAR(200) NOT NULL, 
	role VARCHAR(16) NOT NULL, 
	created DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
INSERT INTO "person" VALUES(1,'rita','$argon2id$v=19$m=8,t=1,p=1$SXTBRZ1EL/lEt9xWbpZrZw$k6N2swv8m3xe7iNH8ZIN1cEp0l8xNcFXToZDi58HIFY','reviewer','2026-11-29 01:46:12.000000');
INSERT INTO "person" VALUES(2,'管理员','$argon2id$v=19$m=8,t=1,p=1$2nuEkZSvZxmJJ53mRdB2Kg$IvYXq1RTRmGV9/NbomRerw00PSJg2OnTcaSuzvsZp9Y','admin','2026-11-29 01:46:12.000000');
CREATE TABLE posting (
	term INTEGER NOT NULL, 
	entry INTEGER NOT NULL, 
	PRIMARY KEY (term, entry)
)
 WITHOUT ROWID

;
INSERT INTO "posting" VALUES(1,1);
INSERT INTO "posting" VALUES(2,1);
INSERT INTO "posting" VALUES(3,1);
INSERT INTO "posting" VALUES(4,1);
INSERT INTO "posting" VALUES(5,1);
INSERT INTO "posting" VALUES(6,1);
INSERT INTO "posting" VALUES(7,1);
INSERT INTO "posting" VALUES(8,1);
INSERT INTO "posting" VALUES(9,1);
INSERT INTO "posting" VALUES(10,1);
INSERT INTO "posting" VALUES(11,1);
INSERT INTO "posting" VALUES(12,1);
INSERT INTO "posting" VALUES(13,1);
INSERT INTO "posting" VALUES(14,1);
INSERT INTO "posting" VALUES(15,1);
INSERT INTO "posting" VALUES(16,1);
INSERT INTO "posting" VALUES(17,1);
INSERT INTO "posting" VALUES(18,1);
INSERT INTO "posting" VALUES(19,1);
INSERT INTO "posting" VALUES(20,1);
INSERT INTO "posting" VALUES(21,1);
INSERT INTO "posting" VALUES(22,1);
INSERT INTO "posting" VALUES(23,1);
INSERT INTO "posting" VALUES(24,1);
INSERT INTO "posting" VALUES(25,1);
INSERT INTO "posting" VALUES(26,1);
INSERT INTO "posting" VALUES(27,1);
INSERT INTO "posting" VALUES(28,1);
INSERT INTO "posting" VALUES(29,1);
INSERT INTO "posting" VALUES(30,1);
INSERT INTO "posting" VALUES(31,1);
INSERT INTO "posting" VALUES(32,1);
INSERT INTO "posting" VALUES(46,1);
INSERT INTO "posting" VALUES(47,1);
INSERT INTO "posting" VALUES(48,1);
INSERT INTO "posting" VALUES(49,1);
INSERT INTO "posting" VALUES(50,1);
INSERT INTO "posting" VALUES(51,1);
INSERT INTO "posting" VALUES(52,1);
INSERT INTO "posting" VALUES(53,1);
INSERT INTO "posting" VALUES(54,1);
INSERT INTO "posting" VALUES(55,1);
INSERT INTO "posting" VALUES(56,1);
INSERT INTO "posting" VALUES(57,1);
INSERT INTO "posting" VALUES(58,1);
INSERT INTO "posting" VALUES(59,1);
INSERT INTO "posting" VALUES(60,1);
INSERT INTO "posting" VALUES(61,1);
INSERT INTO "posting" VALUES(62,1);
INSERT INTO "posting" VALUES(63,1);
INSERT INTO "posting" VALUES(64,1);
INSERT INTO "posting" VALUES(65,1);
INSERT INTO "posting" VALUES(66,1);
INSERT INTO "posting" VALUES(67,1);
INSERT INTO "posting" VALUES(1,2);
INSERT INTO "posting" VALUES(2,2);
INSERT INTO "posting" VALUES(3,2);
INSERT INTO "posting" VALUES(4,2);
INSERT INTO "posting" VALUES(7,2);
INSERT INTO "posting" VALUES(8,2);
INSERT INTO "posting" VALUES(9,2);
INSERT INTO "posting" VALUES(10,2);
INSERT INTO "posting" VALUES(11,2);
INSERT INTO "posting" VALUES(12,2);
INSERT INTO "posting" VALUES(13,2);
INSERT INTO "posting" VALUES(15,2);
INSERT INTO "posting" VALUES(16,2);
INSERT INTO "posting" VALUES(17,2);
INSERT INTO "posting" VALUES(18,2);
INSERT INTO "posting" VALUES(19,2);
INSERT INTO "posting" VALUES(20,2);
INSERT INTO "posting" VALUES(21,2);
INSERT INTO "posting" VALUES(22,2);
INSERT INTO "posting" VALUES(23,2);
INSERT INTO "posting" VALUES(25,2);
INSERT INTO "posting" VALUES(26,2);
INSERT INTO "posting" VALUES(27,2);
INSERT INTO "posting" VALUES(28,2);
INSERT INTO "posting" VALUES(29,2);
INSERT INTO "posting" VALUES(30,2);
INSERT INTO "posting" VALUES(31,2);
INSERT INTO "posting" VALUES(32,2);
INSERT INTO "posting" VALUES(33,2);
INSERT INTO "posting" VALUES(34,2);
INSERT INTO "posting" VALUES(35,2);
INSERT INTO "posting" VALUES(36,2);
INSERT INTO "posting" VALUES(37,2);
INSERT INTO "posting" VALUES(1,4);
INSERT INTO "posting" VALUES(3,4);
INSERT INTO "posting" VALUES(4,4);
INSERT INTO "posting" VALUES(7,4);
INSERT INTO "posting" VALUES(8,4);
INSERT INTO "posting" VALUES(9,4);
INSERT INTO "posting" VALUES(11,4);
INSERT INTO "posting" VALUES(12,4);
INSERT INTO "posting" VALUES(13,4);
INSERT INTO "posting" VALUES(15,4);
INSERT INTO "posting" VALUES(16,4);
INSERT INTO "posting" VALUES(17,4);
INSERT INTO "posting" VALUES(19,4);
INSERT INTO "posting" VALUES(20,4);
INSERT INTO "posting" VALUES(21,4);
INSERT INTO "posting" VALUES(22,4);
INSERT INTO "posting" VALUES(25,4);
INSERT INTO "posting" VALUES(26,4);
INSERT INTO "posting" VALUES(27,4);
INSERT INTO "posting" VALUES(28,4);
INSERT INTO "posting" VALUES(29,4);
INSERT INTO "posting" VALUES(30,4);
INSERT INTO "posting" VALUES(31,4);
INSERT INTO "posting" VALUES(32,4);
INSERT INTO "posting" VALUES(68,4);
INSERT INTO "posting" VALUES(69,4);
INSERT INTO "posting" VALUES(70,4);
INSERT INTO "posting" VALUES(71,4);
INSERT INTO "posting" VALUES(72,4);
CREATE TABLE redirect (
	former VARCHAR(161) NOT NULL, 
	slug VARCHAR(161) NOT NULL, 
	PRIMARY KEY (former)
);
INSERT INTO "redirect" VALUES('verl/old','verl/renamed');
INSERT INTO "redirect" VALUES('verl/older','verl/renamed');
CREATE TABLE review (
	id INTEGER NOT NULL, 
	submission INTEGER NOT NULL, 
	decision VARCHAR(16) NOT NULL, 
	actor VARCHAR(120) NOT NULL, 
	reason TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(submission) REFERENCES submission (id)
);
INSERT INTO "review" VALUES(1,1,'approved','rita','很好','2026-11-29 01:46:14.000000');
INSERT INTO "review" VALUES(2,2,'rejected','rita','quote '' " back\slash tab	 line
next paragraph 中文，标点 😀 [31mred %s {x} </script>','2026-11-29 01:46:14.000000');
CREATE TABLE revision (
	id INTEGER NOT NULL, 
	slug VARCHAR(161) NOT NULL, 
	number INTEGER NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	document TEXT NOT NULL, 
	actor VARCHAR(120) NOT NULL, 
	note VARCHAR(2000) NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (slug, number)
);
INSERT INTO "revision" VALUES(1,'verl/first',1,'272a972f94f0a6ba941c2e23984940f146b231ea3f76d05d0cddbd0b52a914cb','{"slug":"verl/first","updated":"2026-11-20","signatures":[{"pattern":"GreenhouseError: verl/first valve <*> is frozen"}],"en":{"title":"The valve of verl/first","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"verl/first 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: verl/first valve 17 is frozen\n"]}','rita','quote '' " back\slash tab	 line
next paragraph 中文，标点 😀 [31mred %s {x} </script>','2026-11-29 01:46:13.000000');
INSERT INTO "revision" VALUES(2,'verl/renamed',1,'26874ebba7f9a071715aa870ed396db0fd0daa602beecf189a768e72e3965393','{"slug":"verl/renamed","updated":"2026-11-20","former":["verl/old","verl/older"],"signatures":[{"pattern":"GreenhouseError: verl/renamed valve <*> is frozen"}],"en":{"title":"The valve of verl/renamed","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"verl/renamed 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: verl/renamed valve 17 is frozen\n"]}','import','','2026-11-29 01:46:13.000000');
INSERT INTO "revision" VALUES(3,'roll/gone',1,'57152e83d1d650f572360db7934695aa323fb2f687f4c0f78bd5fa59b59a031b','{"slug":"roll/gone","updated":"2026-11-20","signatures":[{"pattern":"GreenhouseError: roll/gone valve <*> is frozen"}],"en":{"title":"The valve of roll/gone","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"roll/gone 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: roll/gone valve 17 is frozen\n"]}','rita','','2026-11-29 01:46:13.000000');
INSERT INTO "revision" VALUES(4,'roll/gone',2,'476cd858c511e15027b1a049e4ee1cab534ff39f76f49ccde58b55138a2ce051','{"slug":"roll/gone","status":"withdrawn","updated":"2026-11-20","signatures":[{"pattern":"GreenhouseError: roll/gone valve <*> is frozen"}],"en":{"title":"The valve of roll/gone","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"roll/gone 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: roll/gone valve 17 is frozen\n"]}','rita','','2026-11-29 01:46:13.000000');
INSERT INTO "revision" VALUES(5,'verl/first',2,'f3db72f867dcc1b405c752be5e284f91f960de0167d030eb7bf4f60e8a6e5aac','{"slug":"verl/first","updated":"2026-11-20","titles":{"en":["quote '' \" back\\slash tab\t line next paragraph 中文，标点 😀 \u001b[31mred %s {x} </script>"]},"signatures":[{"pattern":"GreenhouseError: verl/first valve <*> is frozen"}],"en":{"title":"The valve of verl/first","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"verl/first 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: verl/first valve 17 is frozen\n"]}','rita','','2026-11-29 01:46:13.000000');
INSERT INTO "revision" VALUES(6,'skyrl/a',1,'e8369bef1badc3d0ed7aab13d3b40b9d8ccfbad15c6de02fbf926c944e7bf3d8','{"slug":"skyrl/a","tags":["x"],"updated":"2026-11-20","signatures":[{"pattern":"GreenhouseError: skyrl/a valve <*> is frozen"}],"en":{"title":"The valve of skyrl/a","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"skyrl/a 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: skyrl/a valve 17 is frozen\n"]}','rita','很好','2026-11-29 01:46:14.000000');
CREATE TABLE sign_in_count (
	"key" VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	until DATETIME NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "sign_in_count" VALUES('316c486fdf0e244f3337def1d737300a0b6788117da143937176aa60b2499de2',0,'2026-11-29 01:47:12.000000');
INSERT INTO "sign_in_count" VALUES('19b58d97b8d3662795ab2b04e175fb916b3b398cac2fb5262ff9099d99dd71bc',0,'2026-11-29 02:01:12.000000');
CREATE TABLE stored (
	name VARCHAR(80) NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "stored" VALUES('index-version','13');
INSERT INTO "stored" VALUES('turn:folder-1','7');
INSERT INTO "stored" VALUES('secret-key','Xb2Kqv41mcPJTicOesfrlfzXQKDeDlYOXzpzPir7_wxzbGte59MjRmgesPH1nG7_');
CREATE TABLE submission (
	id INTEGER NOT NULL, 
	token_digest VARCHAR(64) NOT NULL, 
	slug VARCHAR(161) NOT NULL, 
	base_revision INTEGER NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	document TEXT NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	version INTEGER NOT NULL, 
	origin VARCHAR(40) NOT NULL, 
	submitter VARCHAR(120) NOT NULL, 
	note TEXT NOT NULL, 
	lang VARCHAR(2) NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (token_digest)
);
INSERT INTO "submission" VALUES(1,'aee21737b0669e6f7124eb001af9c7fe229f8ed91bc1cd971bd91bc507ddb3d2','skyrl/a',0,'e8369bef1badc3d0ed7aab13d3b40b9d8ccfbad15c6de02fbf926c944e7bf3d8','{"slug":"skyrl/a","tags":["x"],"updated":"2026-11-20","signatures":[{"pattern":"GreenhouseError: skyrl/a valve <*> is frozen"}],"en":{"title":"The valve of skyrl/a","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"skyrl/a 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: skyrl/a valve 17 is frozen\n"]}','approved',2,'form','quote '' " back\slash tab	 line
next paragraph 中文，标点 😀 [31mred %s {x} </script>','quote '' " back\slash tab	 line
next paragraph 中文，标点 😀 [31mred %s {x} </script>','zh','2026-11-29 01:46:14.000000');
INSERT INTO "submission" VALUES(2,'bf6ccdaa7ee5e6ff5075fdfddce9ad471010a431f58b7be484d9b53f73372a81','skyrl/b',0,'cabe67f3ee761f161c0ee748ff5752983ce45692c4db0de8ecce5cde4ad928a0','{"slug":"skyrl/b","updated":"2026-11-20","signatures":[{"pattern":"GreenhouseError: skyrl/b valve <*> is frozen"}],"en":{"title":"The valve of skyrl/b","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"skyrl/b 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: skyrl/b valve 17 is frozen\n"]}','rejected',2,'form','','','en','2026-11-29 01:46:14.000000');
INSERT INTO "submission" VALUES(3,'35e32fab1450cfebc0e61fb9f7d7b2a1cf1c6f38af10d8a70059e45c255b9cd8','skyrl/c',0,'03d4a7f7dee58a21f752121914e9265a0a6f69cefdf369031ba4d57c9e1be7e5','{"slug":"skyrl/c","updated":"2026-11-20","signatures":[{"pattern":"GreenhouseError: skyrl/c valve <*> is frozen"}],"en":{"title":"The valve of skyrl/c","body":"## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it."},"zh":{"title":"skyrl/c 的阀门","body":"## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},"examples":["GreenhouseError: skyrl/c valve 17 is frozen\n"]}','open',1,'form','','','en','2026-11-29 01:46:14.000000');
CREATE TABLE sync_base (
	folder VARCHAR(80) NOT NULL, 
	slug VARCHAR(161) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	PRIMARY KEY (folder, slug)
);
INSERT INTO "sync_base" VALUES('folder-1','verl/first','0000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE term (
	id INTEGER NOT NULL, 
	text VARCHAR(200) NOT NULL, 
	entries INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (text)
);
INSERT INTO "term" VALUES(1,'#kind:error',3);
INSERT INTO "term" VALUES(2,'#project:verl',2);
INSERT INTO "term" VALUES(3,'caus',3);
INSERT INTO "term" VALUES(4,'cold',3);
INSERT INTO "term" VALUES(5,'first',1);
INSERT INTO "term" VALUES(6,'first valve',1);
INSERT INTO "term" VALUES(7,'fix',3);
INSERT INTO "term" VALUES(8,'frozen',3);
INSERT INTO "term" VALUES(9,'greenhouseerror',3);
INSERT INTO "term" VALUES(10,'greenhouseerror verl',2);
INSERT INTO "term" VALUES(11,'is',3);
INSERT INTO "term" VALUES(12,'is frozen',3);
INSERT INTO "term" VALUES(13,'symptom',3);
INSERT INTO "term" VALUES(14,'t:first',1);
INSERT INTO "term" VALUES(15,'t:of',3);
INSERT INTO "term" VALUES(16,'t:the',3);
INSERT INTO "term" VALUES(17,'t:valv',3);
INSERT INTO "term" VALUES(18,'t:verl',2);
INSERT INTO "term" VALUES(19,'t:的阀',3);
INSERT INTO "term" VALUES(20,'t:阀门',3);
INSERT INTO "term" VALUES(21,'valv',3);
INSERT INTO "term" VALUES(22,'valve',3);
INSERT INTO "term" VALUES(23,'verl',2);
INSERT INTO "term" VALUES(24,'verl first',1);
INSERT INTO "term" VALUES(25,'warm',3);
INSERT INTO "term" VALUES(26,'修复',3);
INSERT INTO "term" VALUES(27,'冻住',3);
INSERT INTO "term" VALUES(28,'加热',3);
INSERT INTO "term" VALUES(29,'原因',3);
INSERT INTO "term" VALUES(30,'现象',3);
INSERT INTO "term" VALUES(31,'的阀',3);
INSERT INTO "term" VALUES(32,'阀门',3);
INSERT INTO "term" VALUES(33,'renam',1);
INSERT INTO "term" VALUES(34,'renamed',1);
INSERT INTO "term" VALUES(35,'renamed valve',1);
INSERT INTO "term" VALUES(36,'t:renam',1);
INSERT INTO "term" VALUES(37,'verl renamed',1);
INSERT INTO "term" VALUES(38,'#project:roll',0);
INSERT INTO "term" VALUES(39,'gone',0);
INSERT INTO "term" VALUES(40,'gone valve',0);
INSERT INTO "term" VALUES(41,'greenhouseerror roll',0);
INSERT INTO "term" VALUES(42,'roll',0);
INSERT INTO "term" VALUES(43,'roll gone',0);
INSERT INTO "term" VALUES(44,'t:gone',0);
INSERT INTO "term" VALUES(45,'t:roll',0);
INSERT INTO "term" VALUES(46,'back',1);
INSERT INTO "term" VALUES(47,'line',1);
INSERT INTO "term" VALUES(48,'mred',1);
INSERT INTO "term" VALUES(49,'next',1);
INSERT INTO "term" VALUES(50,'paragraph',1);
INSERT INTO "term" VALUES(51,'quot',1);
INSERT INTO "term" VALUES(52,'script',1);
INSERT INTO "term" VALUES(53,'slash',1);
INSERT INTO "term" VALUES(54,'tab',1);
INSERT INTO "term" VALUES(55,'u:31mr',1);
INSERT INTO "term" VALUES(56,'u:back',1);
INSERT INTO "term" VALUES(57,'u:line',1);
INSERT INTO "term" VALUES(58,'u:next',1);
INSERT INTO "term" VALUES(59,'u:paragraph',1);
INSERT INTO "term" VALUES(60,'u:quot',1);
INSERT INTO "term" VALUES(61,'u:script',1);
INSERT INTO "term" VALUES(62,'u:slash',1);
INSERT INTO "term" VALUES(63,'u:tab',1);
INSERT INTO "term" VALUES(64,'u:中文',1);
INSERT INTO "term" VALUES(65,'u:标点',1);
INSERT INTO "term" VALUES(66,'中文',1);
INSERT INTO "term" VALUES(67,'标点',1);
INSERT INTO "term" VALUES(68,'#project:skyrl',1);
INSERT INTO "term" VALUES(69,'#tag:x',1);
INSERT INTO "term" VALUES(70,'greenhouseerror skyrl',1);
INSERT INTO "term" VALUES(71,'skyrl',1);
INSERT INTO "term" VALUES(72,'t:skyrl',1);
CREATE TABLE wanted (
	fingerprint VARCHAR(32) NOT NULL, 
	asked INTEGER NOT NULL, 
	first DATETIME NOT NULL, 
	last DATETIME NOT NULL, 
	dismissed BOOLEAN NOT NULL, 
	pattern VARCHAR(300) NOT NULL, 
	PRIMARY KEY (fingerprint)
);
INSERT INTO "wanted" VALUES('8c4e66a9c77fa52b',4,'2026-11-29 01:46:13.000000','2026-11-29 01:46:14.000000',0,'');
INSERT INTO "wanted" VALUES('78feefe16a758c4e',3,'2026-11-29 01:46:14.000000','2026-11-29 01:46:14.000000',0,'ValueError: no conversion to tokens in this table');
CREATE TABLE wanted_person (
	fingerprint VARCHAR(32) NOT NULL, 
	person INTEGER NOT NULL, 
	PRIMARY KEY (fingerprint, person)
);
INSERT INTO "wanted_person" VALUES('8c4e66a9c77fa52b',1);
CREATE TABLE wanted_released (
	fingerprint VARCHAR(32) NOT NULL, 
	actor VARCHAR(120) NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (fingerprint)
);
INSERT INTO "wanted_released" VALUES('78feefe16a758c4e','rita','2026-11-29 01:46:14.000000');
CREATE INDEX ix_entry_project ON entry (project);
CREATE INDEX ix_posting_entry ON posting (entry);
CREATE INDEX ix_redirect_slug ON redirect (slug);
CREATE INDEX ix_submission_slug ON submission (slug);
CREATE INDEX ix_submission_state ON submission (state);
CREATE INDEX ix_login_session_person ON login_session (person);
CREATE INDEX ix_review_submission ON review (submission);
CREATE INDEX ix_feedback_noted ON feedback (noted);
CREATE INDEX ix_wanted_asked ON wanted (asked);
CREATE INDEX ix_wanted_last ON wanted (last);
CREATE INDEX ix_sign_in_count_until ON sign_in_count (until);
CREATE INDEX ix_known_address_last ON known_address (last);
COMMIT;
